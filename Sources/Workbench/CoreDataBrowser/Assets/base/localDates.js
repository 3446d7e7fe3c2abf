/** Dates as people of a language type them: 29.11.2026, 11/29/2026, 29 novembre 2026, ٢٩/١١/٢٠٢٦. */
import { locale } from './i18n.js';

/** The years that a year of two digits can be, as `DateReader` of the tool has them. */
const firstYear = 1950;

/** @typedef {{order: string[], isShort: boolean, months: [string, number][], noon: [string, boolean][]}} Form */
/** @type {Map<string, Form>} */
const forms = new Map();

const marks = /[\u200e\u200f\u061c\u2066-\u2069]/g;

/** What a locale writes in dates: the order of the numbers, names of months, and of the halves of a day. */
function formOf(code) {
    if (!forms.has(code)) {
        const format = (options) => new Intl.DateTimeFormat(code, { timeZone: 'UTC', calendar: 'gregory', ...options });
        const order = format({ day: 'numeric', month: 'numeric', year: 'numeric' }).formatToParts(0)
            .map((part) => part.type).filter((type) => ['day', 'month', 'year'].includes(type));
        const names = ['long', 'short'].flatMap((month) => Array.from({ length: 12 }, (_, m) => [
            format({ month, day: 'numeric', year: 'numeric' }), format({ month })].map((f) => [
            f.formatToParts(Date.UTC(2001, m, 3)).find((p) => p.type === 'month')?.value ?? '', m + 1]))).flat();
        const noon = [9, 21].map((hour) => [format({ hour: 'numeric', hour12: true }).formatToParts(hour * 3_600_000)
            .find((part) => part.type === 'dayPeriod')?.value ?? '', hour > 12]);
        const short = format({ dateStyle: 'short' }).formatToParts(0).find((part) => part.type === 'year')?.value ?? '';
        forms.set(code, { order, isShort: latin(short).length === 2,
            months: /** @type {any} */ (names.map(([name, m]) => [folded(name), m]).filter(([name]) => /\D/.test(name))
                .sort(([a], [b]) => b.length - a.length)),
            noon: /** @type {any} */ ([...noon, ['am', false], ['pm', true]].map(([n, is]) => [folded(n), is])
                .filter(([n]) => n)) });
    }
    return forms.get(code);
}

/** A name as it is compared: in lower case, without a point. */
const folded = (name) => name.toLocaleLowerCase().replace(marks, '').replace(/\./g, '').trim();

/** A text with digits of ASCII, single spaces and no marks of direction. */
function latin(text) {
    return text.replace(marks, '').replace(/\s+/g, ' ').replace(/\p{Nd}/gu, (digit) => {
        const code = digit.codePointAt(0);
        // The ten digits of a script follow each other, and begin at a place that Unicode divides by two.
        let zero = code;
        while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1;
        return String(code - zero);
    });
}

/**
 * A date in the form of a locale as ISO 8601, with the time if there is one; null for a text that is none. Whether
 * there is such a day is not looked at: the locale says which number is the month, also of 29/11/2026, so that a column
 * of dates is not read in two ways.
 * @param {string} typed @param {string} [code] the locale
 * @returns {?string}
 */
export function isoDate(typed, code = locale()) {
    const form = formOf(code);
    const [day, time] = timeOf(latin(typed).trim(), form);
    const date = day && (numeric(day, form) ?? named(day, form));
    return date ? date + time : null;
}

/** What stands before the time, and the time behind it: ` 14:30:00`. @param {Form} form @returns {[?string, string]} */
function timeOf(text, form) {
    const found = /^(.*?)[,،]?\s*(?:um|à|at|في)?\s(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([^\d\s].*))?$/iu.exec(text);
    if (!found) return [text, ''];
    const [, day, hour, minute, second = '00', half] = found;
    if (half === undefined) return [day, ` ${hour}:${minute}:${second}`];
    const isAfternoon = form.noon.find(([name]) => name === folded(half))?.[1];
    if (isAfternoon === undefined || Number(hour) < 1 || Number(hour) > 12) return [null, ''];
    return [day, ` ${Number(hour) % 12 + (isAfternoon ? 12 : 0)}:${minute}:${second}`];
}

/** Three numbers with the same sign between them. @param {string} text @param {Form} form */
function numeric(text, form) {
    const found = /^(\d{1,4})\s?([./\-\u2010-\u2015\u2212\u060d])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?$/u.exec(text);
    if (!found) return null;
    const [, first, , middle, last] = found;
    if (first.length > 2) return first.length === 4 && last.length <= 2 ? whole(first, middle, last) : null;
    const { order } = form;
    if (order[0] === 'year') {
        if (last.length < 4) return form.isShort ? whole(century(first), middle, last) : null;
        // Where the year is written first, nothing says which of the two others is the month if both could be.
        const isMonth = [first, middle].map((number) => Number(number) <= 12);
        if (isMonth[0] === isMonth[1]) return null;
        return isMonth[0] ? whole(last, first, middle) : whole(last, middle, first);
    }
    const year = last.length === 4 ? last : last.length === 2 && form.isShort ? century(last) : null;
    if (year === null) return null;
    const [day, month] = order.indexOf('day') < order.indexOf('month') ? [first, middle] : [middle, first];
    return whole(year, month, day);
}

/** Day and year as numbers, the month by its name. @param {string} text @param {Form} form */
function named(text, form) {
    const plain = folded(text);
    for (const [name, month] of form.months) {
        const place = plain.indexOf(name);
        if (place < 0) continue;
        const rest = `${plain.slice(0, place)}#${plain.slice(place + name.length)}`;
        const found = /^(?:(\d{1,2})(?:er|st|nd|rd|th)?[\s,،-]*#[\s,،-]*|#\s*(\d{1,2})(?:st|nd|rd|th)?[\s,،]+)(\d{4})$/u
            .exec(rest);
        if (found) return whole(found[3], String(month), found[1] ?? found[2]);
    }
    return null;
}

/** @param {string} year of two digits */
const century = (year) => String(firstYear + (Number(year) - firstYear % 100 + 100) % 100);

const whole = (year, month, day) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
