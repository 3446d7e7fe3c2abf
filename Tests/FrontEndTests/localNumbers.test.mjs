import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, speak } from './page.mjs';

const { plainNumber } = await load('base/localNumbers.js');
await speak('en');

/** `[language, typed, plain]` */
const typed = [
    ['en', '1,234.5', '1234.5'], ['en', '1234.5', '1234.5'], ['en', ' -12 ', '-12'], ['en', '+1,234,567', '+1234567'],
    ['en', '1e3', '1e3'], ['en', '.5', '.5'], ['en', '5.', '5.'],
    ['de', '1.234,5', '1234.5'], ['de', '1234,5', '1234.5'], ['de', ',5', '.5'], ['de', '-1.234.567', '-1234567'],
    ['de', '1,5e-3', '1.5e-3'],
    ['fr', '1 234,5', '1234.5'], ['fr', '1\u202f234,5', '1234.5'], ['fr', '1\u00a0234', '1234'],
    ['en-IN', '12,34,567.5', '1234567.5'], ['ar', '1,234.5', '1234.5'], ['ar', '١٬٢٣٤٫٥', '1234.5'],
    ['ar-EG', '-١٢٫٥', '-12.5'], ['ar-EG', '12.5', '12.5'], ['ar', '\u200f٧', '7'],
    ['de-CH', '1’234.5', '1234.5'], ['de-CH', "-1'234'567", '-1234567'],
];
for (const [language, text, plain] of typed) {
    test(`"${text}" in ${language} is ${plain}`, () => assert.equal(plainNumber(text, '', language), plain));
}

test('another text than a number of the language stays as it is', () => {
    for (const text of ['', 'abc', '1,23,4', '1.2.3', '--1', '1e', 'NaN', 'Infinity', '1,234,5', '٣']) {
        assert.equal(plainNumber(text, '', 'en'), text);
    }
    assert.equal(plainNumber('1.5', '', 'de'), '1.5');
});

test('what the field showed is taken as it is, in a language where it would read otherwise', () => {
    assert.equal(plainNumber('1.234', '1.234', 'de'), '1.234');
});

test('three digits behind one point are refused where the point stands between thousands, with both readings', () => {
    assert.throws(() => plainNumber('1.234', '', 'de'),
        (error) => error.message.includes('1234') && error.message.includes('1,234'));
    assert.equal(plainNumber('1.234', '', 'en'), '1.234');
});
