/** Mappings of imports as their property lists say them: the rules of properties, and conversions of their values. */

/** @typedef {string | Record<string, any>} Rule a path, or the keys of Docs/Mappings.md */

/** The conversions that the table offers, by a name, for each kind of type. */
const conversions = {
    date: { '': {}, rfc822: { date: 'rfc822' }, seconds: { date: 'seconds' }, milliseconds: { date: 'milliseconds' } },
    number: { '': {}, comma: { decimal: ',', grouping: '.' }, point: { grouping: ',' },
        blank: { decimal: ',', grouping: ' ' } },
    text: { '': {}, first: { first: 'YES' }, join: { join: ', ' } },
};
/** The keys that conversions of the table set. */
const keys = ['date', 'decimal', 'grouping', 'first', 'join'];

/** The kind of conversions that an attribute's type has; empty for none. @param {string} type */
export function conversionKind(type) {
    if (type === 'date') return 'date';
    if (/^(integer|double|float|decimal)/.test(type)) return 'number';
    return type === 'string' || type === 'uri' ? 'text' : '';
}

/** The names of the conversions of a type. @param {string} type */
export const conversionNames = (type) => Object.keys(conversions[conversionKind(type)] ?? { '': {} });

/** Where a rule's value comes from: its path, of several the first. @param {Rule} rule */
export function pathOf(rule) {
    if (typeof rule === 'string') return rule;
    return Array.isArray(rule.from) ? rule.from.join(', ') : rule.from ?? '';
}

/** Whether a rule makes objects that it leads to. @param {Rule} rule */
export const isRelated = (rule) => typeof rule === 'object' && typeof rule.properties === 'object';

/** Keys of a rule that the table has no field for. @param {Rule} rule */
export const furtherKeys = (rule) => (typeof rule === 'string' ? []
    : Object.keys(rule).filter((key) => ![...keys, 'from', 'properties'].includes(key)));

/**
 * The name of a rule's conversion for a type; `pattern` for a date of a pattern, null for one that the table does not
 * have.
 * @param {Rule} rule @param {string} type
 */
export function conversionOf(rule, type) {
    const given = typeof rule === 'string' ? {}
        : Object.fromEntries(keys.filter((k) => k in rule).map((k) => [k, rule[k]]));
    const same = (one) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(given).sort());
    const found = Object.entries(conversions[conversionKind(type)] ?? { '': {} }).find(([, one]) => same(one));
    if (found) return found[0];
    return type === 'date' && typeof given.date === 'string' && Object.keys(given).length === 1 ? 'pattern' : null;
}

/** A rule with another path. @param {Rule} rule @param {string} path @returns {Rule} */
export function withPath(rule, path) {
    const parts = path.split(/\s*,\s*/).filter(Boolean);
    const from = parts.length > 1 ? parts : path.trim();
    return typeof rule === 'string' && parts.length < 2 ? path.trim()
        : { ...(typeof rule === 'string' ? {} : rule), from };
}

/**
 * A rule with another conversion: the name of one, or a pattern of dates.
 * @param {Rule} rule @param {string} type @param {string} name @param {string} [pattern] @returns {Rule}
 */
export function withConversion(rule, type, name, pattern = '') {
    const rest = typeof rule === 'string' ? { from: rule }
        : Object.fromEntries(Object.entries(rule).filter(([key]) => !keys.includes(key)));
    const more = name === 'pattern' ? { date: pattern } : conversions[conversionKind(type)]?.[name] ?? {};
    const made = { ...rest, ...more };
    return Object.keys(made).length === 1 && typeof made.from === 'string' ? made.from : made;
}
