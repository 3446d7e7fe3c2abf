import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './page.mjs';

const { conversionNames, conversionOf, furtherKeys, isRelated, pathOf, withConversion, withPath } =
    await load('base/mappings.js');

test('a rule is a path, or keys of which the path is one (WEB-06)', () => {
    assert.equal(pathOf('user.name'), 'user.name');
    assert.equal(pathOf({ from: 'created_at', date: 'rfc822' }), 'created_at');
    assert.equal(pathOf({ from: ['guid', 'link'] }), 'guid, link');
    assert.ok(isRelated({ from: 'user', properties: {} }) && !isRelated('user'));
});

test('another path leaves the other keys of a rule as they are (WEB-06)', () => {
    assert.equal(withPath('a', ' b.c '), 'b.c');
    assert.deepEqual(withPath({ from: 'a', date: 'seconds' }, 'b'), { from: 'b', date: 'seconds' });
    assert.deepEqual(withPath('a', 'guid, link'), { from: ['guid', 'link'] });
});

test('conversions of the table are set and recognized, by the type of the attribute (WEB-06)', () => {
    assert.deepEqual(conversionNames('date'), ['', 'rfc822', 'seconds', 'milliseconds']);
    assert.deepEqual(conversionNames('boolean'), ['']);
    assert.deepEqual(withConversion('price', 'decimal', 'comma'), { from: 'price', decimal: ',', grouping: '.' });
    assert.equal(conversionOf({ from: 'price', grouping: '.', decimal: ',' }, 'decimal'), 'comma');
    assert.equal(withConversion({ from: 'price', decimal: ',', grouping: '.' }, 'decimal', ''), 'price');
    assert.deepEqual(withConversion('day', 'date', 'pattern', 'dd.MM.yyyy'), { from: 'day', date: 'dd.MM.yyyy' });
    assert.equal(conversionOf({ from: 'day', date: 'dd.MM.yyyy' }, 'date'), 'pattern');
    assert.equal(conversionOf({ from: 'tags', join: '; ' }, 'string'), null);
});

test('keys that the table has no field for are named, and stay (WEB-06)', () => {
    const rule = { from: 'a', words: { x: 'y' }, missing: 'refuse' };
    assert.deepEqual(furtherKeys(rule), ['words', 'missing']);
    assert.deepEqual(withConversion(rule, 'string', 'first'), { ...rule, first: 'YES' });
});
