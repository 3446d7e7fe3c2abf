import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, speak } from './page.mjs';

const { inexactNumber, typedNumber } = await load('base/numbers.js');
await speak('en');

/** `[type, typed, sent]` */
const sent = [
    ['integer16', '32767', 32767], ['integer16', '-32768', -32768], ['integer32', '+7', 7],
    ['integer64', '9007199254740991', 9007199254740991],
    ['integer64', '9223372036854775807', '9223372036854775807'],
    ['integer64', '-9223372036854775808', '-9223372036854775808'],
    ['double', '0.1', 0.1], ['double', '1e308', 1e308], ['double', '-0', -0], ['double', 'Infinity', 'Infinity'],
    ['float', '0.1', 0.1], ['float', '16777216', 16777216],
    ['decimal', '0.10', '0.10'],
    ['decimal', '12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['decimal', 'NaN', 'NaN'], ['decimal', '1e127', '1e127'],
];
for (const [type, text, value] of sent) {
    test(`${text} as ${type}`, () => assert.deepEqual(typedNumber(type, text), value));
}

/** `[type, typed]` */
const refused = [
    ['integer16', '32768'], ['integer16', '1.5'], ['integer16', '1e2'], ['integer64', '9223372036854775808'],
    ['integer32', ''], ['integer32', '0x10'],
    ['double', '1e309'], ['double', '1e-400'], ['double', '0.12345678901234567890'], ['double', 'abc'],
    ['double', '1,5'], ['double', ''],
    ['float', '16777217'], ['float', '1e39'], ['float', '1e-60'],
    ['decimal', '123456789012345678901234567890123456789'], ['decimal', '1e-129'], ['decimal', 'Infinity'],
    ['decimal', '.'],
];
for (const [type, text] of refused) {
    test(`"${text}" is not a value of ${type}`, () => assert.throws(() => typedNumber(type, text),
        (error) => error.message.length > 0 && !error.message.startsWith('value.')));
}

test('a number in JSON that JavaScript would change is found', () => {
    assert.equal(inexactNumber('{"a": 9007199254740993}'), '9007199254740993');
    assert.equal(inexactNumber('[1, 0.1, 1e400]'), '1e400');
    assert.equal(inexactNumber('{"a": "9007199254740993", "b": [1.50, -0, 2e3]}'), null);
    assert.equal(inexactNumber('"a \\" 9007199254740993"'), null);
    assert.equal(inexactNumber(''), null);
});
