import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { load, speak, speech } from './page.mjs';

const { bytesText, shownDate, shownList, shownNumber, valueText } = await load('base/format.js');
const { localNumber, plainNumber } = await load('base/localNumbers.js');
const { t } = await load('base/i18n.js');
const { settings } = await load('base/settings.js');

/** A part of the server's table of styles for a locale. */
const styles = (locale, calendar = 'gregory') => ({
    locale,
    numbers: { decimal: { maximumFractionDigits: 3 }, exact: { maximumFractionDigits: 20 },
        percent: { style: 'percent', maximumFractionDigits: 0 } },
    dates: { 'medium-medium': { dateStyle: 'medium', timeStyle: 'medium', calendar },
        'medium-short': { dateStyle: 'medium', timeStyle: 'short', calendar } },
    days: { medium: { dateStyle: 'medium', timeZone: 'UTC', calendar },
        short: { dateStyle: 'short', timeZone: 'UTC', calendar } },
    units: { kilometer: { options: { style: 'unit', unit: 'mile', maximumFractionDigits: 1 }, factor: 0.621371,
        offset: 0 } },
});

async function format(language, locale, calendar) {
    speech.formats = locale ? styles(locale, calendar) : null;
    await speak(language);
}

beforeEach(() => { settings.zone = 'UTC'; });
after(() => format('en'));

test('numbers have the signs of the region, and lose no digit (L10N-05)', async () => {
    await format('en', 'en-US');
    assert.equal(shownNumber('1000.42'), '1,000.42');
    assert.equal(shownNumber(0.25, 'percent'), '25%');
    assert.equal(shownNumber(1.5, 'currency:EUR'), '€1.50');
    await format('fr', 'fr-FR');
    assert.equal(shownNumber('1000.42'), '1\u202f000,42');
    await format('de', 'de-DE');
    assert.equal(shownNumber('1000.42'), '1.000,42');
    assert.equal(shownNumber('12345678901234567890.123456789'), '12.345.678.901.234.567.890,123456789');
    assert.equal(shownNumber('0.1234567890123456789012'), '0.1234567890123456789012');
    assert.equal(shownNumber('NaN'), 'NaN');
    await format('ar', 'ar-EG');
    assert.equal(shownNumber('1000.42'), '١٬٠٠٠٫٤٢');
    await format('en');
    assert.equal(shownNumber('1000.42'), '1000.42');
});

test('a field shows a number of the region without groups, and reads it back (L10N-05)', async () => {
    const regions = [['de', 'de-DE'], ['fr', 'fr-FR'], ['ar', 'ar-EG'], ['en', 'en-IN'], ['de', 'de-CH']];
    for (const [language, locale] of regions) {
        await format(language, locale);
        for (const number of ['0', '-1', '1234567.125', '0.000001', '98765432109876543210.5']) {
            const field = localNumber(number);
            assert.equal(plainNumber(`${field} `, '', locale), number, `${field} in ${locale}`);
            assert.equal(plainNumber(field, field, locale, number), number);
        }
    }
    assert.equal(localNumber('NaN'), 'NaN');
});

test('a day is the same in every zone, and a moment is in the chosen one (L10N-06, L10N-07)', async () => {
    await format('de', 'de-DE');
    settings.zone = 'America/New_York';
    assert.equal(shownDate('2012-04-04T00:00:00Z'), '03.04.2012, 20:00:00');
    assert.equal(shownDate('2012-04-04T00:00:00Z', 'medium-short'), '03.04.2012, 20:00');
    assert.equal(shownDate('2012-04-04T00:00:00Z', 'day'), '04.04.2012');
    assert.equal(shownDate('2012-04-04T00:00:00Z', 'day-short'), '04.04.12');
    assert.equal(shownDate('+12012-04-04T00:00:00Z'), '+12012-04-04T00:00:00Z');
    await format('en', 'th-TH', 'buddhist');
    assert.match(shownDate('2012-04-04T00:00:00Z', 'day'), /2555/);
    await format('en');
    assert.equal(shownDate('2012-04-04T00:00:00Z', 'day'), '2012-04-04');
    assert.equal(shownDate('2012-04-04T00:00:00Z'), '2012-04-03 20:00:00');
});

test('units are those of the region, and sizes and lists are in the language (L10N-08)', async () => {
    await format('en', 'en-US');
    assert.equal(shownNumber(10, 'kilometer'), '6.2 mi');
    await format('fr', 'fr-FR');
    assert.equal(bytesText(1536), '1,5\u202fko');
    assert.equal(shownList(['a', 'b', 'c']), 'a, b et c');
    await format('en');
    assert.equal(shownList(['a', 'b']), 'a, b');
});

test('copies of numbers are plain, so that they are pasted as the same', async () => {
    await format('de', 'de-DE');
    assert.equal(valueText('1234.5', 'decimal'), '1234.5');
});

test('how long ago a moment was is in the language (L10N-06)', async () => {
    await format('fr', 'fr-FR');
    const { relativeText, useStyles } = await load('base/formats.js');
    useStyles(styles('fr-FR'));
    const now = Date.UTC(2012, 3, 4);
    assert.equal(relativeText(new Date(now - 3 * 86_400_000), now), 'il y a 3 jours');
    assert.equal(relativeText(new Date(now - 86_400_000), now), 'hier');
    assert.equal(relativeText(new Date(now + 7_200_000), now), 'dans 2 heures');
});

test('in lines from right to left each part of a text is isolated, and numbers are not', async () => {
    await format('ar', 'ar-EG');
    assert.equal(t('no.such {name} {count}', { name: 'Hero', count: 3 }), 'no.such \u2068Hero\u2069 ٣');
    assert.equal(document.documentElement.dir, 'rtl');
    await format('en');
    assert.equal(document.documentElement.dir, 'ltr');
    assert.equal(t('no.such {name}', { name: 'Hero' }), 'no.such Hero');
});
