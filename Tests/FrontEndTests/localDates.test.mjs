import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, speak } from './page.mjs';

const { isoDate } = await load('base/localDates.js');
const { dayISO, needLocalDates, zonedISO } = await load('base/zones.js');
await speak('en');

/** `[locale, typed, ISO 8601]` */
const dates = [
    ['de', '29.11.2026', '2026-11-29'], ['de', '1.2.2026', '2026-02-01'], ['de', '29. 11. 2026', '2026-11-29'],
    ['de', '29.11.26', '2026-11-29'], ['de', '29.11.50', '1950-11-29'],
    ['de', '29.11.49', '2049-11-29'],
    ['de', '29. November 2026', '2026-11-29'], ['de', '3. März 2026', '2026-03-03'],
    ['de', '3. Mär. 2026', '2026-03-03'],
    ['de', '29.11.2026, 14:30', '2026-11-29 14:30:00'], ['de', '29.11.2026 um 14:30:15', '2026-11-29 14:30:15'],
    ['fr', '29/11/2026', '2026-11-29'], ['fr', '1er novembre 2026', '2026-11-01'], ['fr', '3 déc. 2026', '2026-12-03'],
    ['fr', '11/12/2026', '2026-12-11'], ['fr', '29/11/2026 14:30', '2026-11-29 14:30:00'],
    ['fr', '29/11/26', null],
    ['en-US', '11/29/2026', '2026-11-29'], ['en-US', '11/12/2026', '2026-11-12'],
    ['en-US', 'Nov 29, 2026', '2026-11-29'],
    ['en-US', '11/29/2026, 2:30 PM', '2026-11-29 14:30:00'], ['en-US', '11/29/26 12:05 am', '2026-11-29 0:05:00'],
    ['en-GB', '11/12/2026', '2026-12-11'], ['en-GB', '29 November 2026', '2026-11-29'],
    ['ar-EG', '٢٩/١١/٢٠٢٦', '2026-11-29'], ['ar', '29/11/2026', '2026-11-29'], ['ar', '٢٩/١١/٢٠٢٦', '2026-11-29'],
    ['ar-EG', '\u200f٢٩\u200f/١١\u200f/٢٠٢٦', '2026-11-29'], ['ar-EG', '٢٩ نوفمبر ٢٠٢٦', '2026-11-29'],
    ['ar-EG', '٢٩/١١/٢٠٢٦، ٢:٣٠ م', '2026-11-29 14:30:00'], ['hi', '२९/११/२०२६', '2026-11-29'],
    ['sv', '2026-11-29', '2026-11-29'], ['ja', '2026/11/29', '2026-11-29'], ['ja', '11/29/2026', '2026-11-29'],
    ['fr-CA', '29/11/2026', '2026-11-29'], ['fr-CA', '05/06/2026', null], ['sv', '13/13/2026', null],
    // A month that there is not is no day instead.
    ['en-US', '29/11/2026', '2026-29-11'], ['de', '11/29/2026', '2026-29-11'],
    ['de', '29.11/2026', null], ['de', '29.11.', null], ['de', '29.11.226', null], ['de', 'gestern', null],
    ['de', '', null],
    ['en-US', '11/29/2026 2:30 noon', null], ['en-US', '11/29/2026 14:30 PM', null], ['de', '29.11.2026 x', null],
    ['fr', '29 novembre', null], ['fr', '29 novembre 2026 et plus', null],
];
for (const [code, typed, iso] of dates) {
    test(`'${typed}' in ${code} is ${iso} (L10N-05)`, () => assert.equal(isoDate(typed, code), iso));
}

test('what the region writes is read back, in short and long forms (L10N-05)', () => {
    for (const code of ['de', 'de-CH', 'fr', 'fr-CA', 'en-US', 'en-GB', 'ar', 'ar-EG', 'ar-MA', 'es', 'it', 'pt-BR',
        'nl', 'sv', 'tr', 'pl']) {
        for (const style of ['short', 'medium', 'long']) {
            for (let month = 0; month < 12; month += 1) {
                const date = new Date(Date.UTC(2026, month, 25));
                const text = new Intl.DateTimeFormat(code, { dateStyle: style, timeZone: 'UTC', calendar: 'gregory' })
                    .format(date);
                // Words between day, month and year are not read.
                if (/ de /.test(text)) continue;
                assert.equal(isoDate(text, code), date.toISOString().slice(0, 10), `${code} ${style}: ${text}`);
            }
        }
    }
});

test('a field for a day refuses a time and a zone, which could be another day (L10N-05)', async () => {
    await needLocalDates();
    await speak('de');
    assert.equal(dayISO('29.11.2026'), '2026-11-29T00:00:00Z');
    assert.equal(dayISO('2026-11-29'), '2026-11-29T00:00:00Z');
    for (const text of ['2026-02-01T23:00-05:00', '1.2.2026 14:30', '2026-02-01 Z']) {
        assert.throws(() => dayISO(text), Error, text);
    }
});

test('a field reads both forms, and refuses a day that there is not (L10N-05)', async () => {
    await needLocalDates();
    await speak('de');
    assert.equal(zonedISO('29.11.2026', 'UTC'), '2026-11-29T00:00:00Z');
    assert.equal(zonedISO('29.11.2026 14:30', 'Europe/Berlin'), '2026-11-29T13:30:00Z');
    assert.equal(zonedISO('2026-11-29', 'UTC'), '2026-11-29T00:00:00Z');
    assert.throws(() => zonedISO('30.02.2026', 'UTC'), /30/);
    assert.throws(() => zonedISO('30.13.2026', 'UTC'));
    assert.throws(() => zonedISO('29.11.2026 24:30', 'UTC'));
    await speak('en');
});
