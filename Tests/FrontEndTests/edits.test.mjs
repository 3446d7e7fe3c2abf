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

test('what the server answers to a step is what is staged', async () => {
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

const named = (object, kind = 'updated') => ({ ...change, object, kind });
const shown = (edits) => edits.state.changes.map((c) => c.object);

test('what a step changes is merged into what is here, in the order of the server', async () => {
    const edits = new Edits('s1');
    server.answer = () => ({
        version: 7, changes: [named('Hero/t1', 'inserted'), named('Hero/p2'), named('Hero/p10')], count: 3,
        problems: [{ object: 'Hero/p2', text: 'no' }],
    });
    await edits.load();
    server.answer = () => ({
        version: 8, since: 7, changes: [named('Hero/p9'), named('Hero/p2', 'deleted'), named('Hero/t2', 'inserted')],
        unstaged: ['Hero/p10'], count: 4, canUndo: true,
    });
    const reply = await edits.stage('Name', []);
    assert.deepEqual(server.asked.map(([method, path]) => `${method} ${path}`),
        ['GET /stores/s1/edits', 'POST /stores/s1/edits?since=7']);
    assert.deepEqual(shown(edits), ['Hero/t1', 'Hero/t2', 'Hero/p9', 'Hero/p2']);
    const { version, canUndo } = edits.state;
    assert.deepEqual([edits.count, version, canUndo, edits.kind('Hero/p2'), edits.kind('Hero/p10')],
        [4, 8, true, 'deleted', null]);
    assert.equal(edits.problems('Hero/p2').length, 1);
    assert.equal(reply.changes.length, 3);
    server.answer = () => ({ version: 9, since: 8, changes: [], unstaged: ['Hero/p9'], count: 3, problems: [] });
    await edits.undo();
    assert.deepEqual([shown(edits), edits.state.problems, edits.state.canUndo],
        [['Hero/t1', 'Hero/t2', 'Hero/p2'], [], true]);
});

test('what differs from another version is not merged: all is asked for', async () => {
    const edits = new Edits('s1');
    edits.take({ version: 5, changes: [named('Hero/p1')] });
    server.answer = (method) => (method === 'GET'
        ? { version: 8, changes: [named('Hero/p3')] }
        : { version: 8, since: 7, changes: [named('Hero/p2')], unstaged: [] });
    await edits.stage('Name', []);
    assert.deepEqual([shown(edits), edits.state.version], [['Hero/p3'], 8]);
});

test('an answer that a later one has overtaken is left aside, also one with all', async () => {
    const edits = new Edits('s1');
    edits.take({ version: 5, changes: [] });
    const ways = [];
    server.answer = (method) => new Promise((done) => ways.push((version) => done(version === 6 && method === 'POST'
        ? { version, since: 5, changes: [named('Hero/p1')], unstaged: [] }
        : { version, changes: version === 7 ? [named('Hero/p1'), named('Hero/p2')] : [] })));
    const asked = [edits.stage('first', []), edits.stage('second', []), edits.load()];
    while (ways.length < 3) await new Promise((done) => setTimeout(done, 1));
    ways[1](7);
    await asked[1];
    ways[0](6);
    ways[2](5);
    await Promise.all(asked);
    assert.deepEqual([shown(edits), edits.state.version], [['Hero/p1', 'Hero/p2'], 7]);
});

test('after the program was started again its versions count, whatever they are', async () => {
    const edits = new Edits('s1');
    edits.take({ version: 5, changes: [named('Hero/p1')] });
    server.answer = () => ({ version: 2, changes: [named('Hero/p3')] });
    await edits.load();
    assert.deepEqual([shown(edits), edits.state.version], [['Hero/p3'], 2]);
});

test('an answer of the program that was started again is shown, also with a smaller version', async () => {
    const edits = new Edits('s1');
    const [former, latter] = [9 * 2 ** 32 + 5, 3 * 2 ** 32 + 1];
    edits.take({ version: former, changes: [named('Hero/p1')] });
    server.answer = () => ({ version: latter, changes: [named('Hero/p3')] });
    await edits.stage('Name', []);
    assert.deepEqual([shown(edits), edits.state.version], [['Hero/p3'], latter]);
    edits.take({ version: latter - 1, changes: [] });
    assert.deepEqual([shown(edits), edits.state.version], [['Hero/p3'], latter]);
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
