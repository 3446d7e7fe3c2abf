/**
 * Values as a region writes them, through `Intl` with the styles that the server gives by name: the same table of which
 * `coredata` makes its texts. Loaded where the page does not have the plain forms of English.
 */

/** @type {{locale: string, numbers: any, dates: any, days: any, units: any}} */
let styles = { locale: 'en', numbers: {}, dates: {}, days: {}, units: {} };
/** Formatters, which are slow to make. @type {Map<string, any>} */
const made = new Map();

/** Takes the table of the locale. @param {typeof styles} table */
export function useStyles(table) {
    styles = table;
    made.clear();
}

/** @template T @param {string} key @param {() => T} make @returns {T} */
function kept(key, make) {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
}

/** `Intl` writes at most 20 digits of a fraction; a number with more stays as it is. */
const isTooExact = (value) => /\.\d{21}/.test(String(value));

/**
 * A number in a style: `none`, `decimal`, `exact` with all digits of a text, `percent`, `scientific`, `currency:EUR`,
 * or a unit such as `kilometer`, which is shown in the one of the region. An unknown style is `exact`.
 * @param {number | string} value @param {string} [style]
 */
export function numberText(value, style = 'exact') {
    if (isTooExact(value)) return String(value);
    const unit = styles.units[style];
    const code = /^currency:([A-Z]{3})$/i.exec(style)?.[1];
    const options = unit?.options ?? (code ? { style: 'currency', currency: code.toUpperCase() }
        : styles.numbers[style] ?? styles.numbers.exact);
    const format = kept(`number ${style}`, () => new Intl.NumberFormat(styles.locale, options));
    return format.format(unit ? Number(value) * unit.factor + unit.offset : /** @type {number} */ (value));
}

/** A number as a field shows it for editing: all its digits, and no groups. @param {string} value */
export const fieldText = (value) => (isTooExact(value) ? value : kept('field',
    () => new Intl.NumberFormat(styles.locale, { ...styles.numbers.exact, useGrouping: false }),
).format(/** @type {any} */ (value)));

/** A number of bytes of a unit of `Intl`, such as `kilobyte`. @param {number} value @param {string} unit */
export const sizeText = (value, unit) => kept(`size ${unit}`, () => new Intl.NumberFormat(styles.locale,
    { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })).format(value);

/**
 * A moment in a zone, in the styles of its day and its time, such as `medium-short`.
 * @param {Date} date @param {string} zone @param {string} [style]
 */
export const momentText = (date, zone, style = 'medium-medium') => kept(`moment ${style} ${zone}`,
    () => new Intl.DateTimeFormat(styles.locale,
        { ...styles.dates[style] ?? styles.dates['medium-medium'], timeZone: zone === 'local' ? undefined : zone })
).format(date);

/** The day that a moment has in UTC, in any zone the same. @param {Date} date @param {string} [style] */
export const dayText = (date, style = 'medium') => kept(`day ${style}`,
    () => new Intl.DateTimeFormat(styles.locale, styles.days[style] ?? styles.days.medium)).format(date);

/** Texts as a list: `a, b and c`. @param {string[]} texts */
export const listText = (texts) => kept('list', () => new Intl.ListFormat(styles.locale)).format(texts);

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const spans = [['year', 31_557_600], ['month', 2_629_800], ['week', 604_800], ['day', 86_400], ['hour', 3_600],
    ['minute', 60], ['second', 1]];

/** How long ago a moment was, or how far it is. @param {Date} date */
export function relativeText(date, now = Date.now()) {
    const seconds = (date.getTime() - now) / 1000;
    const [unit, length] = spans.find(([, length]) => Math.abs(seconds) >= length) ?? spans[spans.length - 1];
    return kept('relative', () => new Intl.RelativeTimeFormat(styles.locale, { numeric: 'auto' }))
        .format(Math.trunc(seconds / length), unit);
}
