import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { load, server } from './page.mjs';

const { isEnded, jobsOf } = await load('base/jobs.js');
const job = (more) => ({ id: 'j1', kind: 'import', subject: 'a.csv', state: 'running', completed: 1, total: 10,
    cancelled: false, ...more });
let count = 0;
const fresh = () => jobsOf(`store${count += 1}`);
beforeEach(() => { server.asked.length = 0; });

test('a job that ended stays ended, whatever comes late, and its row leaves after some seconds (CONC-06)', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
        const jobs = fresh();
        jobs.take(job());
        assert.equal(jobs.active, 1);
        jobs.take(job({ state: 'finished', completed: 10 }));
        jobs.take(job({ completed: 5 }));
        assert.ok(isEnded(jobs.list[0]));
        assert.equal(jobs.active, 0);
        mock.timers.tick(5000);
        assert.deepEqual(jobs.list, []);
    } finally {
        mock.timers.reset();
    }
});

test('the row of a job that failed stays until it is closed (CONC-06)', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const jobs = fresh();
    jobs.take(job({ state: 'failed', reason: 'no' }));
    mock.timers.tick(60000);
    mock.timers.reset();
    assert.equal(jobs.list.length, 1);
    server.answer = () => job({ state: 'failed' });
    await jobs.act('j1', 'dismiss');
    assert.deepEqual(server.asked.map(([method, path]) => `${method} ${path}`),
        [`POST /stores/${jobs.store}/jobs/j1/dismiss`]);
    assert.deepEqual(jobs.list, []);
});

test('the result of a job is what the server has once it has ended; a failure is an error (CONC-06)', async () => {
    const jobs = fresh();
    const answers = [job(), job({ state: 'finished', result: { inserted: 3 } })];
    server.answer = () => answers.shift();
    const result = jobs.result('j1', new AbortController().signal);
    setTimeout(() => jobs.take(job({ state: 'finished' })), 10);
    assert.deepEqual(await result, { inserted: 3 });
    server.answer = () => job({ id: 'j2', state: 'failed', error: { code: 'badValue', reason: 'no' } });
    await assert.rejects(jobs.result('j2', new AbortController().signal), { code: 'badValue', message: 'no' });
    server.answer = () => job({ id: 'j3', state: 'cancelled' });
    assert.equal(await jobs.result('j3', new AbortController().signal), null);
});

test('who waits for a job and leaves waits no longer (CONC-05)', async () => {
    const jobs = fresh();
    const leaving = new AbortController();
    server.answer = () => job();
    const result = jobs.result('j1', leaving.signal);
    setTimeout(() => leaving.abort(), 10);
    await assert.rejects(result, { name: 'AbortError' });
});

test('an unfinished job is begun again or forgotten, and then no more offered (CONC-06)', async () => {
    const jobs = fresh();
    server.answer = () => ({ jobs: [], unfinished: [{ id: 'u1' }, { id: 'u2' }] });
    await jobs.load();
    server.answer = () => job({ id: 'u1', state: 'waiting' });
    await jobs.settle('u1', true);
    server.answer = () => null;
    await jobs.settle('u2', false);
    assert.deepEqual([jobs.unfinished, jobs.list.map((one) => one.id)], [[], ['u1']]);
});
