import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, speak } from './page.mjs';

const { zonedISO } = await load('base/zones.js');
await speak('en');

/** `[typed, zone, in UTC]` */
const dates = [
    ['2015-05-01', 'UTC', '2015-05-01T00:00:00Z'], ['2015-5-1 7:30', 'UTC', '2015-05-01T07:30:00Z'],
    ['2015-05-01T12:00:01.250', 'UTC', '2015-05-01T12:00:01.250Z'],
    ['2015-05-01 12:00', 'Europe/Berlin', '2015-05-01T10:00:00Z'],
    ['2015-01-01 12:00', 'Europe/Berlin', '2015-01-01T11:00:00Z'],
    ['2015-05-01 12:00', 'Asia/Kathmandu', '2015-05-01T06:15:00Z'],
    ['2015-05-01 00:00', 'Pacific/Apia', '2015-04-30T11:00:00Z'],
    ['2015-05-01T12:00:00Z', 'Europe/Berlin', '2015-05-01T12:00:00Z'],
    ['2015-05-01T12:00:00+0530', 'UTC', '2015-05-01T06:30:00Z'],
    ['2015-05-01 12:00 -03:00', 'UTC', '2015-05-01T15:00:00Z'],
    ['0050-01-01', 'UTC', '0050-01-01T00:00:00Z'], ['2016-02-29', 'UTC', '2016-02-29T00:00:00Z'],
    [' 2015-05-01 ', 'UTC', '2015-05-01T00:00:00Z'],
];
for (const [text, zone, iso] of dates) {
    test(`${text} in ${zone} is ${iso}`, () => assert.equal(zonedISO(text, zone), iso));
}

test('an hour that comes twice or never at a change of the clock is a moment near it', () => {
    assert.ok(['2015-10-25T00:30:00Z', '2015-10-25T01:30:00Z'].includes(zonedISO('2015-10-25 02:30', 'Europe/Berlin')));
    assert.ok(['2015-03-29T00:30:00Z', '2015-03-29T01:30:00Z'].includes(zonedISO('2015-03-29 02:30', 'Europe/Berlin')));
    assert.equal(zonedISO('2015-03-29 03:00', 'Europe/Berlin'), '2015-03-29T01:00:00Z');
    assert.equal(zonedISO('2015-03-29 01:59:59', 'Europe/Berlin'), '2015-03-29T00:59:59Z');
});

for (const text of ['', 'tomorrow', '2015', '2015-05', '15-05-01', '2015-05-01 24:00', '2015-05-01 12:60',
    '2015-05-01 12', '2015-05-01T12:00:00+5', '2015-05-01;']) {
        test(`"${text}" is not a date`, () => assert.throws(() => zonedISO(text, 'UTC'), /date/i));
    }

for (const text of ['2015-02-29', '2015-04-31', '2015-13-01', '2015-00-10', '2015-01-00', '1900-02-29']) {
    test(`${text} is not a day`,
        () => assert.throws(() => zonedISO(text, 'UTC'), (error) => error.message.includes(text.slice(5, 7))));
}
