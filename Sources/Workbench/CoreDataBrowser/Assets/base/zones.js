/** Dates that people type, in a time zone, as ISO 8601 in UTC. */
import { t } from './i18n.js';

/** The moment of a day and time in UTC, in milliseconds; `Date.UTC` takes the years 0 to 99 for those from 1900. */
function moment(year, month, day, hour, minute, second) {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return date.setUTCHours(hour, minute, second);
}

/** How far a zone is from UTC at a moment, in milliseconds. */
function offset(milliseconds, zone) {
    if (zone === 'UTC') return 0;
    const parts = new Intl.DateTimeFormat('en-US', {
        timeZone: zone === 'local' ? undefined : zone, hourCycle: 'h23', era: 'short', year: 'numeric',
        month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    }).formatToParts(new Date(milliseconds));
    const text = (type) => parts.find((p) => p.type === type)?.value ?? '';
    const of = (type) => Number(text(type));
    // ISO 8601 has a year 0, which is the year 1 before Christ.
    const year = text('era').startsWith('B') ? 1 - of('year') : of('year');
    return moment(year, of('month'), of('day'), of('hour'), of('minute'),
        of('second')) - Math.floor(milliseconds / 1000) * 1000;
}

/** What reads dates in the form of the language, once that was asked for. @type {?((text: string) => ?string)} */
let local = null;

/** Lets dates also be typed in the form of the language. */
export const needLocalDates = () => import('./localDates.js').then((m) => { local = m.isoDate; }, () => {});

const form =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * A day in one of the forms of `zonedISO`, as its beginning in UTC.
 * @throws {Error} for a text with a time or a zone too, which could be another day.
 */
export function dayISO(text) {
    const typed = text.trim();
    const found = form.exec(typed) ?? form.exec(local?.(typed) ?? '');
    if (found?.[4] !== undefined || found?.[8] !== undefined) throw new Error(t('value.notDate'));
    return zonedISO(typed, 'UTC');
}

/**
 * A date such as `2015-05-01`, `2015-05-01 12:00` or ISO 8601 with a zone of its own, or one in the form of the
 * language.
 * @throws {Error} for another text than a date, with a text for people.
 */
export function zonedISO(text, zone) {
    const typed = text.trim();
    const found = form.exec(typed) ?? form.exec(local?.(typed) ?? '');
    if (!found) throw new Error(t('value.notDate'));
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', own] = found;
    const wall = moment(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
    const date = new Date(moment(Number(year), Number(month), Number(day), 0, 0, 0));
    if (Number(month) < 1 || Number(month) > 12 || date.getUTCMonth() !== Number(month) - 1
        || date.getUTCDate() !== Number(day)) throw new Error(t('value.noSuchDay', { day: `${year}-${month}-${day}` }));
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw new Error(t('value.notDate'));
    let instant = wall;
    if (own && own.toUpperCase() !== 'Z') {
        const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(own) ?? [];
        instant -= (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    } else if (!own) {
        // The offset at the moment itself may differ from that at the wall time taken for UTC: the second look settles
        // it.
        instant -= offset(wall - offset(wall, zone), zone);
    }
    return new Date(instant).toISOString().replace(/\.\d{3}Z$/, `${fraction}Z`);
}
