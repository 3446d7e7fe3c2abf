/** Values as people read them. */
import { h, visible, stored } from './dom.js';
import { settings } from './settings.js';
import { t, number } from './i18n.js';

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

/** A number of bytes. */
export function bytesText(count) {
    if (count < 1024) return t('value.bytes', { count });
    const units = ['kB', 'MB', 'GB', 'TB'];
    let [size, unit] = [count / 1024, 0];
    while (size >= 1024 && unit < 3) [size, unit] = [size / 1024, unit + 1];
    return `${number(Math.round(size * 10) / 10)} ${units[unit]}`;
}

/** A value as plain text, for copies and for fields; nil is empty. */
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
export function timeNode(iso) {
    return h('time', { datetime: iso, title: iso, dir: 'ltr' }, dateText(iso));
}

/** A value as an element. */
export function valueNode(value, type) {
    if (value === null || value === undefined) return h('span.nil', { title: t('value.nilTitle') }, 'nil');
    if (value === '') return h('span.nil', { title: t('value.emptyTitle') }, t('value.empty'));
    if (typeof value === 'boolean') return h('span.bool', { data: { on: value } }, t(value ? 'value.yes' : 'value.no'));
    if (type === 'date') return timeNode(value);
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
