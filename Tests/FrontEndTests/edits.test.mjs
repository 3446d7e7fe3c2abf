import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { load, server } from './page.mjs';

const { Edits, editsOf } = await load('base/edits.js');
const change = { object: 'Hero/p1', entity: 'Hero', label: 'A', kind: 'updated',
    properties: [{ key: 'name', old: 'A', new: 'B' }] };
beforeEach(() => { server.asked.length = 0; });

test('a store has its edits once', () => {
    assert.equal(editsOf('s1'), editsOf('s1'));
    assert.notEqual(editsOf('s1'), editsOf('s2'));
});

test('what the server tells after a step is what is staged', async () => {
    const edits = new Edits('s1');
    let reply = 0;
    edits.addEventListener('change', () => { reply += 1; });
    server.answer = () => ({ changes: [change], canUndo: true,
        problems: [{ object: 'Hero/p1', key: 'name', text: 'no' }] });
    await edits.stage('Name', [{ do: 'set' }]);
    assert.deepEqual(server.asked, [['POST', '/stores/s1/edits', { name: 'Name', steps: [{ do: 'set' }] }]]);
    assert.deepEqual([edits.count, reply, edits.kind('Hero/p1'), edits.kind('Hero/p2')], [1, 1, 'updated', null]);
    assert.deepEqual(edits.staged('Hero/p1', 'name'), { value: 'B', old: 'A' });
    assert.equal(edits.staged('Hero/p1', 'born'), null);
    assert.equal(edits.problems('Hero/p1', 'name').length, 1);
    assert.equal(edits.problems('Hero/p1', 'born').length, 0);
});

test('settled ends after the steps that are on their way, whatever became of them', async () => {
    const edits = new Edits('s1');
    const ways = [];
    server.answer = (method, path, body) => new Promise((done) =>
        ways.push(() => done(body.name === 'bad' ? new Response('{}', { status: 422 }) : { changes: [change] })));
    const [good, bad] = [edits.stage('good', []), edits.stage('bad', [])];
    bad.catch(() => {});
    let isSettled = false;
    const settled = edits.settled().then(() => { isSettled = true; });
    await new Promise((done) => setTimeout(done, 5));
    ways[1]();
    await assert.rejects(bad);
    assert.equal(isSettled, false);
    ways[0]();
    await settled;
    assert.equal(edits.count, 1);
    await good;
    await edits.settled();
});

test('after a save nothing is staged, though what is staged cannot be asked', async () => {
    const edits = new Edits('s1');
    edits.take({ changes: [change] });
    server.answer = (method) =>
        (method === 'POST' ? { saved: { 'Hero/t1': 'Hero/p2' } } : new Response('{}', { status: 500 }));
    let saved = null;
    edits.addEventListener('saved', (event) => { saved = event.detail; });
    await edits.save();
    assert.deepEqual([edits.count, edits.hasSaved, saved], [0, true, { 'Hero/t1': 'Hero/p2' }]);
});
