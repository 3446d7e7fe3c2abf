/** A text to be read: the links, telephone numbers and dates in it are found and marked. */
import { h, visible } from '../base/dom.js';

const parts = [
    { pattern: /\bhttps?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/giu,
        make: (text) => h('a', { href: text, target: '_blank', rel: 'noopener noreferrer' }, visible(text)) },
    { pattern: new RegExp([/\b\d{4}-\d\d-\d\d\b/, /\b\d{1,2}\.\d{1,2}\.\d{4}\b/, /\b\d{1,2}\/\d{1,2}\/\d{4}\b/,
        /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}, \d{4}\b/]
        .map((form) => form.source).join('|'), 'gu'), make: (text) => h('time', {}, text) },
    { pattern: /(?<![\w.])(?:\+|\(?\d)[\d ()\/-]{5,20}\d(?![\w.]*\w)/gu,
        make: (text) => (digits(text).length < 7 ? null : h('a', { href: `tel:${digits(text)}` }, text)) },
];

const digits = (text) => text.replace(/[^+\d]/g, '');

/** The beginning of a longer text is enough for what a person reads at once. */
const greatest = 200_000;

/** @param {string} text */
export function foundText(text) {
    return h('bdi.found', {}, split(text.slice(0, greatest), 0), visible(text.slice(greatest)));
}

/** What a pattern finds is made into elements; the rest is left to the patterns after it. */
function split(text, at) {
    if (at === parts.length) return [visible(text)];
    const pieces = [];
    let end = 0;
    for (const match of text.matchAll(parts[at].pattern)) {
        const made = parts[at].make(match[0]);
        if (!made) continue;
        pieces.push(...split(text.slice(end, match.index), at + 1), made);
        end = match.index + match[0].length;
    }
    return [...pieces, ...split(text.slice(end), at + 1)];
}
