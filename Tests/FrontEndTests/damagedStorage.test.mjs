import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, root, server } from './page.mjs';

for (const name of ['drafts', 'views']) sessionStorage.setItem(`opencoredata:${name}:${root}`, '{"no JSON');
localStorage.setItem('opencoredata:settings', '[[[');

test('malformed JSON in a storage is taken as nothing', async () => {
    server.answer = () => ({ stores: [] });
    const { draftOf } = await load('base/drafts.js');
    assert.equal(draftOf('/x'), null);
    const { settings } = await load('base/settings.js');
    assert.equal(settings.zone, 'UTC');
    const { beneath, openLastView } = await load('base/viewHistory.js');
    await openLastView();
    assert.deepEqual(beneath('a'), []);
    assert.deepEqual(history.pushed, []);
});
