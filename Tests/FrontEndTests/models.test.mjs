import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './page.mjs';

const { edit, ownerOf, setting, word } = await load('base/models.js');

test('a word of an edit is quoted where it would be two, none or another', () => {
    assert.equal(word('Hero'), 'Hero');
    assert.equal(word(''), '""');
    assert.equal(word('a b'), '"a b"');
    assert.equal(word('say "\\"'), '"say \\"\\\\\\""');
    assert.equal(word("it's"), '"it\'s"');
    assert.equal(edit('add', 'attribute', 'Hero.name', 7), 'add attribute Hero.name 7');
});

test('an option without a value is taken away',
    () => assert.equal(setting('Hero.name', { type: 'string', default: null, text: 'a b' }),
        'set Hero.name type=string default= "text=a b"'));

/** `[item, owner]` */
const owners = [
    ['Hero', '.'], ['Hero.name', 'Hero'], ['Hero.name/user-info/key', 'Hero.name'], ['Hero/user-info/a.b/c', 'Hero'],
    ['Hero/indexes/byName', 'Hero'],
    ['Hero/constraints/name,born', 'Hero'], ['requests/all', '.'], ['requests/all/user-info/k', 'requests/all'],
    ['configurations/Cloud', '.'], ['configurations/Cloud/Hero', 'configurations/Cloud'], ['.hidden', '.'], ['', '.'],
];
for (const [item, owner] of owners) test(`"${item}" stands in ${owner}`, () => assert.equal(ownerOf(item), owner));
