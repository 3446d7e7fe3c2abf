/** Values as people read them. */
import { h, visible, stored } from './dom.js';
import { settings } from './settings.js';
import { formats, number, t } from './i18n.js';

const numeric = new Set(['integer16', 'integer32', 'integer64', 'decimal', 'double', 'float']);

/** Whether a type's values are numbers. */
export const isNumeric = (type) => numeric.has(type);

/** A date of ISO 8601 in UTC as the chosen zone shows it, down to the second, with a fraction where there is one. */
export function dateText(iso, zone = settings.zone) {
    const text = String(iso);
    const plain = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text);
    if (!plain) return text;
    const fraction = Number(plain[5] ?? 0) > 0 ? plain[5] : '';
    if (zone === 'UTC') return `${plain[1]}-${plain[2]}-${plain[3]} ${plain[4]}${fraction}`;
    try {
        const parts = new Intl.DateTimeFormat('en-CA', {
            timeZone: zone === 'local' ? undefined : zone, hourCycle: 'h23', era: 'short', year: 'numeric',
            month: '2-digit', day: '2-digit',
            hour: '2-digit', minute: '2-digit', second: '2-digit',
        }).formatToParts(new Date(text));
        const of = (type) => parts.find((p) => p.type === type)?.value ?? '';
        // ISO 8601 has a year 0, which is the year 1 before Christ.
        const year = of('era').startsWith('B') ? 1 - Number(of('year')) : Number(of('year'));
        if (year < 0) return text;
        const day = `${String(year).padStart(4, '0')}-${of('month')}-${of('day')}`;
        return `${day} ${of('hour')}:${of('minute')}:${of('second')}${fraction}`;
    } catch {
        return text;
    }
}

/**
 * A date of ISO 8601 in UTC as the region writes it, or as `dateText` does where values have plain forms.
 * @param {string} iso
 * @param {?string} [style] `day`, a style of a day such as `day-long`, or of day and time: `medium-short`
 */
export function shownDate(iso, style = null, zone = settings.zone) {
    const date = /^\d{4}-/.test(iso) ? new Date(iso) : null;
    const isDay = style === 'day' || style?.startsWith('day-');
    if (!formats || !date || Number.isNaN(date.getTime())) {
        return isDay ? dateText(iso, 'UTC').slice(0, 10) : dateText(iso, zone);
    }
    try {
        return isDay ? formats.dayText(date, style.slice(4) || undefined)
            : formats.momentText(date, zone, style || undefined);
    } catch {
        return dateText(iso, zone);
    }
}

/** A number as the region writes it, with all its digits; as JavaScript does where values have plain forms. */
export const shownNumber = (value, style = null) =>
    (formats && /^-?[\d.]/.test(String(value)) ? formats.numberText(value, style || undefined) : String(value));

/** Names one after another. @param {string[]} texts */
export const shownList = (texts) => formats?.listText(texts) ?? texts.join(', ');

/** A number of bytes. */
export function bytesText(count) {
    if (count < 1024) return t('value.bytes', { count });
    const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
    let [size, unit] = [count / 1024, 0];
    while (size >= 1024 && unit < 3) [size, unit] = [size / 1024, unit + 1];
    if (formats) return formats.sizeText(size, units[unit]);
    return `${number(Math.round(size * 10) / 10)} ${['kB', 'MB', 'GB', 'TB'][unit]}`;
}

/** A value as text, for copies; nil is empty, and numbers have their plain form. */
export function valueText(value, type) {
    if (value === null || value === undefined) return '';
    if (type === 'date') return dateText(value);
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    if (typeof value === 'object') return 'bytes' in value ? bytesText(value.bytes) : JSON.stringify(value);
    return String(value);
}

/** Whether a text is a colour as its transformer keeps it: four numbers from 0 to 1. */
export function colorOf(value) {
    if (Array.isArray(value?.color)) return colorOf(value.color);
    const parts = Array.isArray(value) ? value
        : typeof value === 'string' && value.length < 60 ? value.split(',').map(Number) : [];
    if (parts.length !== 4 || !parts.every((p) => typeof p === 'number' && p >= 0 && p <= 1)) return null;
    const [r, g, b] = parts.map((p) => Math.round(p * 255));
    return `rgba(${r}, ${g}, ${b}, ${parts[3]})`;
}

/** A date as an element; its parts stay in order in lines that run from right to left. */
export function timeNode(iso, style = null) {
    const date = new Date(iso);
    const isKnown = formats && !Number.isNaN(date.getTime());
    const title = isKnown ? `${iso} · ${formats.relativeText(date)}` : iso;
    return h('time', { datetime: iso, title, dir: formats ? 'auto' : 'ltr' }, shownDate(iso, style));
}

/** A value as an element; `style` is the one that the model names for it, such as `percent`. */
export function valueNode(value, type, style = null) {
    if (value === null || value === undefined) return h('span.nil', { title: t('value.nilTitle') }, 'nil');
    if (value === '') return h('span.nil', { title: t('value.emptyTitle') }, t('value.empty'));
    if (typeof value === 'boolean') return h('span.bool', { data: { on: value } }, t(value ? 'value.yes' : 'value.no'));
    if (type === 'date') return timeNode(value, style);
    if (isNumeric(type)) return h('bdi', { dir: formats && !style ? 'ltr' : null }, shownNumber(value, style));
    if (value?.color) {
        return h('span.colour', {},
            h('i.swatch', { vars: { '--swatch': colorOf(value) } }), h('span.dim', {}, JSON.stringify(value.color)));
    }
    if (typeof value === 'object' && 'bytes' in value) return h('span.dim', {}, bytesText(value.bytes));
    if (type === 'transformable' && colorOf(value)) {
        return h('span.colour', {}, h('i.swatch', { vars: { '--swatch': colorOf(value) } }),
            h('span.dim', {}, JSON.stringify(value)));
    }
    if (typeof value === 'object') return h('code', { dir: 'ltr' }, visible(JSON.stringify(value)));
    return stored(value);
}
