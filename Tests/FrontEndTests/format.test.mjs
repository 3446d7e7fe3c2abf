import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { load, speak } from './page.mjs';

const { bytesText, colorOf, dateText, isNumeric, valueText } = await load('base/format.js');
const { settings } = await load('base/settings.js');
await speak('en');
afterEach(() => { settings.zone = 'UTC'; });

test('a date is shown in a zone, down to the second', () => {
    assert.equal(dateText('2015-05-01T12:00:00Z', 'UTC'), '2015-05-01 12:00:00');
    assert.equal(dateText('2015-05-01T23:30:00Z', 'Europe/Berlin'), '2015-05-02 01:30:00');
    assert.equal(dateText('2015-01-01T00:00:00.5Z', 'America/New_York'), '2014-12-31 19:00:00.5');
    assert.equal(dateText('0099-05-01T12:00:00Z', 'Asia/Tokyo').slice(0, 4), '0099');
});

test('a fraction of nothing is not shown',
    () => assert.equal(dateText('2015-05-01T12:00:00.000Z', 'UTC'), '2015-05-01 12:00:00'));

test('another text than a date of the server, and an unknown zone, leave the text', () => {
    for (const text of ['', 'soon', '2015-05-01', '+12015-05-01T12:00:00Z', null]) {
        assert.equal(dateText(text, 'UTC'), String(text));
    }
    assert.equal(dateText('2015-05-01T12:00:00Z', 'Mars/Phobos'), '2015-05-01T12:00:00Z');
});

test('what a date shows is read back as the same moment', async () => {
    const { zonedISO } = await load('base/zones.js');
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns']) {
        for (const iso of ['2015-05-01T12:00:00Z', '1969-12-31T23:59:59Z', '2024-02-29T00:00:00Z']) {
            assert.equal(zonedISO(dateText(iso, zone), zone), iso);
        }
    }
});

test('numbers of bytes have units of 1024', () => {
    assert.match(bytesText(0), /^0 /);
    assert.match(bytesText(1023), /^1,023 /);
    assert.equal(bytesText(1024), '1 kB');
    assert.equal(bytesText(1536), '1.5 kB');
    assert.equal(bytesText(5 * 1024 ** 3), '5 GB');
    assert.equal(bytesText(3 * 1024 ** 5), '3,072 TB');
});

test('numbers of bytes are written as the language writes them', async () => {
    await speak('de');
    assert.equal(bytesText(1536), '1,5 kB');
    await speak('en');
});

test('a colour is four numbers from 0 to 1', () => {
    assert.equal(colorOf([1, 0.5, 0, 1]), 'rgba(255, 128, 0, 1)');
    assert.equal(colorOf('0,0,1,0.5'), 'rgba(0, 0, 255, 0.5)');
    assert.equal(colorOf({ color: [0, 0, 0, 1] }), 'rgba(0, 0, 0, 1)');
    for (const value of [null, undefined, '', '1,2,3', '1,1,1,2', [0, 0, 0], [0, 0, 0, -1], [0, 0, 0, '1'],
        [NaN, 0, 0, 1], 'a,b,c,d', {}, 7]) assert.equal(colorOf(value), null);
});

test('a value as plain text', () => {
    settings.zone = 'Europe/Berlin';
    assert.equal(valueText(null), '');
    assert.equal(valueText(undefined), '');
    assert.equal(valueText(0), '0');
    assert.equal(valueText(true), 'yes');
    assert.equal(valueText('2015-05-01T12:00:00Z', 'date'), '2015-05-01 14:00:00');
    assert.equal(valueText('2015-05-01T12:00:00Z', 'string'), '2015-05-01T12:00:00Z');
    assert.equal(valueText({ bytes: 2048 }), '2 kB');
    assert.equal(valueText({ a: [1] }), '{"a":[1]}');
});

test('which types are numbers', () => {
    assert.ok(['integer16', 'decimal', 'float'].every(isNumeric));
    assert.ok(!['string', 'boolean', 'date', '', undefined].some(isNumeric));
});
