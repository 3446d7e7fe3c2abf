import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, root } from './page.mjs';

const key = `opencoredata:drafts:${root}`;
const draft = (value) => ({ values: { name: { value, base: '' } }, removed: [] });
sessionStorage.setItem(key, JSON.stringify({ '/apps/a/forms/1': draft('kept') }));
const { draftOf, dropDraft, keepDraft } = await load('base/drafts.js');

test('a draft of before the page was loaded is there',
    () => assert.deepEqual(draftOf('/apps/a/forms/1'), draft('kept')));

test('a draft is kept by its address, in the storage too, until it is dropped', () => {
    keepDraft('/apps/a/forms/2', draft('typed'));
    assert.deepEqual(draftOf('/apps/a/forms/2'), draft('typed'));
    assert.deepEqual(JSON.parse(sessionStorage.getItem(key))['/apps/a/forms/2'], draft('typed'));
    dropDraft('/apps/a/forms/2');
    assert.equal(draftOf('/apps/a/forms/2'), null);
    assert.deepEqual(Object.keys(JSON.parse(sessionStorage.getItem(key))), ['/apps/a/forms/1']);
});

test('a draft that is too large for the storage is there until the page is loaded again', () => {
    sessionStorage.limit = 1000;
    keepDraft('/apps/a/forms/3', draft('x'.repeat(2000)));
    assert.equal(draftOf('/apps/a/forms/3').values.name.value.length, 2000);
    assert.equal(JSON.parse(sessionStorage.getItem(key))['/apps/a/forms/3'], undefined);
    sessionStorage.limit = Infinity;
});

test('an address that is a member of every object has no draft', () => {
    for (const path of ['constructor', '__proto__', '']) assert.equal(draftOf(path), null);
});
