/**
 * Texts of the page by name, from a file a language and one for each view that few need; English stands in for what a
 * language lacks.
 */
import { root, unreachable } from './api.js';
import { translateServerTexts } from './serverTexts.js';
import { settings } from './settings.js';

/** The languages that have a file. */
export const languages = { en: 'English', de: 'Deutsch' };

let strings = {};
let fallback = {};
let plural = new Intl.PluralRules('en');

/** The language in use: the chosen one, else the first of the person's that has a file. */
export function language() {
    if (languages[settings.language]) return settings.language;
    return navigator.languages.map((l) => l.slice(0, 2)).find((l) => languages[l]) ?? 'en';
}

const load = (name) => fetch(`${root}/assets/strings/${name}.json`).then((r) => r.json());
/** What views have loaded beside the common texts. @type {Map<string, Promise<void>>} */
const further = new Map();

/** Loads the common strings of the language in use. */
export async function loadStrings() {
    const code = language();
    further.clear();
    const isEnglish = code === 'en';
    const [english, own, table, texts] = await Promise.all([
        load('en'), isEnglish ? {} : load(code), isEnglish ? null : import('./serverTextTable.js'),
        isEnglish ? null : load(`server/${code}`),
    ]);
    [fallback, strings] = [english, own];
    translateServerTexts(table && table.translator(texts));
    // Titles of errors stand above texts that could not be translated.
    if (!isEnglish) await needStrings('errors');
    document.documentElement.lang = code;
    plural = new Intl.PluralRules(code);
    unreachable.text = t('error.unreachable');
}

/** Loads the strings of a view that few need, from `strings/NAME.LANGUAGE.json`. @param {string} name */
export function needStrings(name) {
    const code = language();
    if (!further.has(name)) {
        const asked = Promise.all([load(`${name}.en`), code === 'en' ? {} : load(`${name}.${code}`)])
            .then(([english, own]) => { Object.assign(fallback, english); Object.assign(strings, own); });
        asked.catch(() => further.delete(name));
        further.set(name, asked);
    }
    return further.get(name);
}

/**
 * The text of a name, with `{parts}` filled in. Where `count` is given, `name.one` or `name.other` is taken if there is
 * one.
 * @param {string} name @param {Record<string, any>} [parts]
 */
export function t(name, parts = {}) {
    const form = typeof parts.count === 'number' ? `${name}.${plural.select(parts.count)}` : name;
    const text = strings[form] ?? strings[`${name}.other`] ?? strings[name] ?? fallback[form]
        ?? fallback[`${name}.other`] ?? fallback[name] ?? name;
    return text.replace(/\{(\w+)\}/g,
        (_, key) => (typeof parts[key] === 'number' ? number(parts[key]) : parts[key] ?? ''));
}

/** What an error of the server is, in a language other than English; empty where there is nothing to say. */
export function errorTitle(error) {
    if (language() === 'en' || !error.code) return '';
    const name = `error.code.${error.code}`;
    const text = t(name);
    return text === name ? '' : text;
}

/** A number as the language writes it. */
export const number = (value) => new Intl.NumberFormat(language()).format(value);
