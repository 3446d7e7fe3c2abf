/** What errors of Swift sources say: causes, hints, reasons and cures, with `{}` for what is filled in. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { argument, calls, swiftFiles, texts } from './swiftTexts.mjs';

/** What stands before a text that an error says, as an argument or a property. */
const labels = /\b(?:cause|hint|reason|cure)\s*(?::|=(?!=))\s*/g;

/** Calls that make an error, whose first arguments have no label. */
const makers = new RegExp(
    '\\b(?:[A-Z]\\w*(?:Error|Failure|Refusal)|badRequest|error|failure|invalid|malformed|refus(?:al|ed|e)|unexpected'
        + '|wrong)\\(',
    'g');

/** Two words at least, or one and what is filled in. */
export const isText = (text) => /[A-Za-z]{2,}[,;:]? [A-Za-z{'("]/.test(text);

/** The texts of errors in a source. */
export function errorTexts(source) {
    const labelled = [...source.matchAll(labels)].map((match) => argument(source, match.index + match[0].length));
    return [...labelled, ...calls(source, makers)].flatMap(texts).filter(isText);
}

/**
 * The texts of errors in folders, with the file that has each.
 * @param {string} root @param {string[]} folders @param {string[]} whole files and folders of which all texts count
 */
export function errorTextsOf(root, folders, whole = []) {
    const found = new Map();
    const add = (places, read) => {
        for (const file of places.flatMap((place) => swiftFiles(`${root}/${place}`))) {
            for (const text of read(readFileSync(file, 'utf8'))) found.set(text, relative(root, file));
        }
    };
    add(folders, errorTexts);
    add(whole, (source) => texts(source).filter(isText));
    return found;
}

/** How a program joins a subject and what is said of it, several sentences, and what helps or is added. */
const joints = [/^([^]*?) \(([^]*)\)$/, /^([^]*?): ([^]*)$/, /^([^]*?)[;,] ([^]*)$/, /^([^]*?[.!?])\s+([^]*)$/,
    /^([^]*\w)\{\}$/];
const place = /\{\}|#(?!\{)/;

/** What has no words of a language: options, placeholders, addresses, code. */
const isName = (text) => text.split(/\s+/).every((word) => /^(?:-.*|[^a-z]*|'.*'|https?:.*)$/.test(word));

/**
 * What says whether tables have all words of a text: as a key, as a key with places, or part by part; unlike what looks
 * texts up, which is content with one of the parts.
 * @param {Record<string, string>} table
 */
export function coverage(table) {
    const patterns = Object.keys(table).filter((key) => place.test(key)).map((key) => {
        const parts = key.split(place);
        const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.*?)');
        return {
            pattern: new RegExp(`^${source}$`, 's'),
            isQuoted: parts.slice(0, -1).map((part, at) => /['"]$/.test(part) && part.at(-1) === parts[at + 1][0]),
            isOption: parts.map((part) => part.endsWith('--')),
        };
    });
    const covers = (text, depth = 0) => {
        if (table[text] !== undefined || isName(text)) return true;
        if (depth > 4) return false;
        const isPattern = ({ pattern, isQuoted, isOption }) => {
            const values = pattern.exec(text)?.slice(1);
            // What fills a place at the beginning is one word, or a text of its own.
            return values !== undefined && !(text.startsWith(values[0]) && /\s/.test(values[0]) && isName(values[0]))
                && values.every((value, at) => isQuoted[at] || isOption[at] && /^[a-z-]+(?: [A-Z]\S*)*$/.test(value)
                    || covers(value, depth + 1));
        };
        return patterns.some(isPattern)
            || joints.some((joint) => joint.exec(text)?.slice(1).every((part) => covers(part, depth + 1)));
    };
    return covers;
}
