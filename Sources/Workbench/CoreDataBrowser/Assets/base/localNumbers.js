/** Numbers as people of a language type them. */
import { formats, locale, t } from './i18n.js';

const signs = new Map();

/** The digits and signs of a locale: before the fraction, and between thousands. */
function signsOf(code) {
    if (!signs.has(code)) {
        const parts = new Intl.NumberFormat(code).formatToParts(1234567.5);
        const of = (type) => parts.find((p) => p.type === type)?.value ?? '';
        const plain = new Intl.NumberFormat(code, { useGrouping: false });
        const digits = new Map([...'0123456789'].map((digit) => [plain.format(Number(digit)), digit]));
        signs.set(code, { decimal: of('decimal') || '.', group: of('group'), digits });
    }
    return signs.get(code);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * What was typed with digits of ASCII, and the signs that go with the digits. Readers of Arabic write Arabic digits
 * also where their region prints others.
 */
function latin(typed, code) {
    const text = typed.replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '').replace(/\u2212/g, '-');
    const codes = code.startsWith('ar') ? [code, 'ar-u-nu-arab', 'ar-u-nu-latn'] : [code];
    for (const one of codes) {
        const { digits, ...found } = signsOf(one);
        if ([...text].some((c) => digits.has(c))) {
            return { ...found, text: [...text].map((c) => digits.get(c) ?? c).join('') };
        }
    }
    return { ...signsOf(code), text };
}

/**
 * A number with a point before its fraction and nothing between thousands.
 * What is written with the digits and signs of the locale is turned into that; other texts stay as they are.
 * @param {string} typed @param {string} [shown] what the field showed
 * @param {string} [code] the locale
 * @param {string} [plain] the number that it stands for; what was shown where that was plain itself
 */
export function plainNumber(typed, shown = '', code = locale(), plain = shown) {
    const entered = typed.trim();
    if (entered === shown || !entered) return entered && plain;
    const { decimal, group, text } = latin(entered, code);
    const separators = group === '.' || group === ',' || group === '٬' ? escaped(group) : /['’]/.test(group) ? "'’"
        : '\\u0020\\u00a0\\u202f';
    // The last three digits; groups before them are of two digits in India.
    const [point, end] = [escaped(decimal), '(?:e[+-]?\\d+)?$'];
    const groups = `\\d{1,3}(?:[${separators}]\\d{2,3})*[${separators}]\\d{3}`;
    const grouped = new RegExp(`^[+-]?${groups}(?:${point}\\d*)?${end}`, 'i');
    const ungrouped = new RegExp(`^[+-]?(?:\\d+|\\d*${point}\\d+|\\d+${point})${end}`, 'i');
    // With one point and three digits behind it, it may be thousands as well as a fraction.
    if (decimal !== '.' && group === '.' && /^[+-]?\d{1,3}\.\d{3}$/.test(text)) {
        throw new Error(t('value.ambiguousNumber',
            { whole: text.replace('.', ''), fraction: text.replace('.', decimal) }));
    }
    const isGrouped = grouped.test(text) && hasGroups(text, separators, code);
    if (!isGrouped && !ungrouped.test(text)) return text === entered ? entered : text;
    return text.replace(new RegExp(`[${separators}]`, 'g'), '').replace(decimal, '.');
}

/**
 * A plain number as fields show it: with the decimal sign of the locale, and no groups.
 * @param {string | number} number
 */
export const localNumber = (number) => (formats && /^-?\d+(?:\.\d+)?$/.test(String(number))
    ? formats.fieldText(String(number)) : String(number));

/** Whether the groups before the last one have the locale's length. */
function hasGroups(text, separators, code) {
    const groups = /^[+-]?([^e]*)/i.exec(text)?.[1].split(new RegExp(`[${separators}]`)) ?? [];
    const own = new Intl.NumberFormat(code).formatToParts(123456789).filter((p) => p.type === 'integer');
    const length = own.at(-2)?.value.length ?? 3;
    return groups[0].length <= length && groups.slice(1, -1).every((group) => group.length === length);
}
