/** Numbers as people of a language type them. */
import { language, t } from './i18n.js';

const signs = new Map();

/** The signs of a language: before the fraction, and between thousands. */
function signsOf(code) {
    if (!signs.has(code)) {
        const parts = new Intl.NumberFormat(code).formatToParts(1234567.5);
        const of = (type) => parts.find((p) => p.type === type)?.value ?? '';
        signs.set(code, { decimal: of('decimal') || '.', group: of('group') });
    }
    return signs.get(code);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A number with a point before its fraction and nothing between thousands, as the page shows stored numbers.
 * What is written with the signs of the language is turned into that; other texts stay as they are.
 * @param {string} text @param {string} [shown] what the field showed, which is taken as it is
 */
export function plainNumber(text, shown = '', code = language()) {
    const entered = text.trim();
    const { decimal, group } = signsOf(code);
    if (entered === shown || !entered) return entered;
    const separators = group === '.' || group === ',' ? escaped(group) : /['’]/.test(group) ? "'’"
        : '\\u0020\\u00a0\\u202f';
    const grouped = new RegExp(`^[+-]?\\d{1,3}(?:[${separators}]\\d{3})+(?:${escaped(decimal)}\\d*)?(?:e[+-]?\\d+)?$`,
        'i');
    const ungrouped = new RegExp(`^[+-]?(?:\\d+|\\d*${escaped(decimal)}\\d+|\\d+${escaped(decimal)})(?:e[+-]?\\d+)?$`,
        'i');
    // With one point and three digits behind it, it may be thousands as well as a fraction.
    if (decimal !== '.' && group === '.' && /^[+-]?\d{1,3}\.\d{3}$/.test(entered)) {
        throw new Error(t('value.ambiguousNumber',
            { whole: entered.replace('.', ''), fraction: entered.replace('.', decimal) }));
    }
    if (!grouped.test(entered) && !ungrouped.test(entered)) return entered;
    return entered.replace(new RegExp(`[${separators}]`, 'g'), '').replace(decimal, '.');
}
