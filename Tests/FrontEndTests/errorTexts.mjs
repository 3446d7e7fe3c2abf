/** What errors of Swift sources say: causes, hints, reasons and cures, with `{}` for what is filled in. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { argument, calls, swiftFiles, texts } from './swiftTexts.mjs';

/** What stands before a text that an error says, as an argument or a property. */
const labels = /\b(?:cause|hint|reason|cure)\s*(?::|=(?!=))\s*/g;

/** Calls that make an error, whose first arguments have no label. */
const makers = new RegExp(
    '\\b(?:[A-Z]\\w*(?:Error|Failure|Refusal)|badRequest|error|failure|invalid|malformed|refus(?:al|ed|e)|unexpected|wrong)\\(',
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
 * @param {string} root @param {string[]} folders
 */
export function errorTextsOf(root, folders) {
    const found = new Map();
    for (const file of folders.flatMap((folder) => swiftFiles(`${root}/${folder}`))) {
        for (const text of errorTexts(readFileSync(file, 'utf8'))) found.set(text, relative(root, file));
    }
    return found;
}

/** How a program joins a subject and what is said of it, several sentences, and what helps. */
const joints = [/^([^]*?) \(([^]*)\)$/, /^([^]*?): ([^]*)$/, /^([^]*?)[;,] ([^]*)$/, /^([^]*?[.!?])\s+([^]*)$/];
const place = /\{\}|#(?!\{)/;

/**
 * What says whether tables have all words of a text: as a key, as a key with places, or part by part; unlike what looks
 * texts up, which is content with one of the parts.
 * @param {Record<string, string>} table
 */
export function coverage(table) {
    const patterns = Object.keys(table).filter((key) => place.test(key)).map((key) => new RegExp(
        `^${key.split(place).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.*?)')}$`, 's'));
    const covers = (text, depth = 0) => {
        if (table[text] !== undefined || !/[A-Za-z]{2,}/.test(text)) return true;
        if (depth > 4) return false;
        const isFilled = (values) => values !== undefined && values.every((value) => covers(value, depth + 1));
        return patterns.some((pattern) => isFilled(pattern.exec(text)?.slice(1)))
            || joints.some((joint) => isFilled(joint.exec(text)?.slice(1)));
    };
    return covers;
}
