/**
 * Texts of the page by name, from a file a language and one for each view that few need; English stands in for what a
 * language lacks.
 */
import { api, root, unreachable } from './api.js';
import { translateServerTexts } from './serverTexts.js';
import { settings } from './settings.js';

/**
 * What the server says of the page's language: its tag and direction, the languages that there are by their own names,
 * the locale of numbers, and the table of styles, null for the plain forms of English.
 * @typedef {{language: string, direction: string, languages: string[][], locale: string, formats: any}} Speech
 * @type {Speech}
 */
let speech = { language: 'en', direction: 'ltr', languages: [['en', 'English']], locale: 'en', formats: null };

/** @type {Record<string, string>} */
let strings = {};
/** @type {Record<string, string>} */
let fallback = {};
let plural = new Intl.PluralRules('en');
const englishPlural = new Intl.PluralRules('en');

/** How the region writes values; null where they have the plain forms. @type {typeof import('./formats.js') | null} */
export let formats = null;

/** The language in use, as the server chooses it. */
export const language = () => speech.language;
/** The languages that there are: tags with their own names. */
export const languages = () => speech.languages;
/** What numbers are written by. */
export const locale = () => speech.locale;

const load = (name) => fetch(`${root}/assets/strings/${name}.json`).then((r) => r.json());
/** None where a language has no such file. */
const loadOwn = (name) => load(name).catch(() => ({}));
/** What views have loaded beside the common texts. @type {Map<string, Promise<void>>} */
const further = new Map();

/** Asks for the page's language, and loads its common strings. */
export async function loadStrings() {
    const asked = new URLSearchParams({ language: settings.language, formats: settings.formats });
    const answer = await fetch(`${root}/language?${asked}`, { headers: { Accept: 'application/json' } });
    speech = await answer.json();
    const code = speech.language;
    further.clear();
    const isEnglish = code === 'en';
    const [english, own, table, texts, styles] = await Promise.all([
        load('en'), isEnglish ? {} : loadOwn(code), isEnglish ? null : import('./serverTextTable.js'),
        isEnglish ? null : loadOwn(`server/${code}`), speech.formats && import('./formats.js'),
    ]);
    [fallback, strings] = [english, own];
    plural = new Intl.PluralRules(code);
    formats = styles;
    formats?.useStyles(speech.formats);
    translateServerTexts(table && table.translator(texts, code));
    // Titles of errors stand above texts that could not be translated.
    if (!isEnglish) await needStrings('errors');
    Object.assign(document.documentElement, { lang: code, dir: speech.direction });
    api.locale = speech.locale;
    unreachable.text = t('error.unreachable');
}

/** Loads the strings of a view that few need, from `strings/NAME.LANGUAGE.json`. @param {string} name */
export function needStrings(name) {
    const code = language();
    if (!further.has(name)) {
        const asked = Promise.all([load(`${name}.en`), code === 'en' ? {} : loadOwn(`${name}.${code}`)])
            .then(([english, own]) => { Object.assign(fallback, english); Object.assign(strings, own); });
        asked.catch(() => further.delete(name));
        further.set(name, asked);
    }
    return further.get(name);
}

/** `zero` is for 0 in every language. */
function form(table, name, count, rules) {
    return (count === 0 ? table[`${name}.zero`] : undefined) ?? table[`${name}.${rules.select(count)}`];
}

function found(table, name, count, rules) {
    return (typeof count === 'number' ? form(table, name, count, rules) : undefined)
        ?? table[`${name}.other`] ?? table[name];
}

/**
 * The text of a name, with `{parts}` filled in. Where `count` is given, the plural form of it is taken if there is one.
 * In lines from right to left each part that is a text is isolated.
 * @param {string} name @param {Record<string, any>} [parts]
 */
export function t(name, parts = {}) {
    const text = found(strings, name, parts.count, plural) ?? found(fallback, name, parts.count, englishPlural) ?? name;
    const isolated = (value) => (speech.direction === 'rtl' && value !== '' ? `\u2068${value}\u2069` : value);
    return text.replace(/\{(\w+)\}/g,
        (_, key) => (typeof parts[key] === 'number' ? number(parts[key]) : isolated(parts[key] ?? '')));
}

/** An arrow that points to what follows. */
export const onward = () => (speech.direction === 'rtl' ? '←' : '→');

/** What an error of the server is, in a language other than English; empty where there is nothing to say. */
export function errorTitle(error) {
    if (language() === 'en' || !error.code) return '';
    const name = `error.code.${error.code}`;
    const text = t(name);
    return text === name ? '' : text;
}

/** A number as the language writes it. */
export const number = (value) => new Intl.NumberFormat(speech.locale).format(value);
