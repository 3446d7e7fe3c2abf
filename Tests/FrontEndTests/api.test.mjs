import assert from 'node:assert/strict';
import { test } from 'node:test';
import { events, load, root as mounted, server, set } from './page.mjs';

const { address, api, ApiError, exactJSON, root } = await load('base/api.js');

test('the path under which the page is mounted comes from the place of the module', () => assert.equal(root, mounted));

test('an address has each step and each part of the query encoded, and nothing that is empty', () => {
    assert.equal(address(['stores', 1, 'objects', 'Hero/p1']), '/stores/1/objects/Hero/p1');
    assert.equal(address(['stores', 'a b', 'é?']), '/stores/a%20b/%C3%A9%3F');
    assert.equal(address(['models', 'm', '']), '/models/m');
    assert.equal(address(['x'], { a: 0, b: '', c: null, d: undefined, e: false, f: 'ü&=', g: true }),
        '/x?a=0&f=%C3%BC%26%3D&g=true');
});

test('whole numbers that JavaScript does not hold become texts of their digits, and nothing else changes', () => {
    assert.deepEqual(exactJSON('{"a":9223372036854775807,"b":-9223372036854775808,"c":9007199254740991,"d":1.5}'),
        { a: '9223372036854775807', b: '-9223372036854775808', c: 9007199254740991, d: 1.5 });
    assert.deepEqual(exactJSON('["1234567890123456789012", "\\"12345678901234567890\\"", 12345678901234567890]'),
        ['1234567890123456789012', '"12345678901234567890"', '12345678901234567890']);
    assert.throws(() => exactJSON('{'), SyntaxError);
});

test('a request has the secret of the tab; an infinite number is not sent', async () => {
    api.session = { tab: 'T', secret: 'S' };
    assert.deepEqual(api.headers({ A: 'b' }),
        { Accept: 'application/json', A: 'b', 'X-Tab': 'T', 'X-Tab-Secret': 'S' });
    api.session = null;
    server.asked = [];
    await assert.rejects(api.post('/x', { number: Infinity }),
        (error) => error instanceof ApiError && error.code === 'notFinite' && error.message.includes('Infinity'));
    assert.deepEqual(server.asked, []);
});

test('an answer without success is an error with what the server reply', async () => {
    server.answer = () => new Response('{"error":{"code":"locked","reason":"It is locked","hint":"Wait"}}',
        { status: 409 });
    await assert.rejects(api.get('/x'), (error) => error.status === 409 && error.code === 'locked'
        && error.hint === 'Wait' && error.message === 'It is locked');
    server.answer = () => new Response('<html>', { status: 502 });
    await assert.rejects(api.get('/x'), (error) => error.status === 502 && error.message === 'HTTP 502');
    server.answer = () => new Response('no JSON');
    await assert.rejects(api.get('/x'), (error) => error.status === 200 && error.message === 'no JSON');
    server.answer = () => new Response('');
    assert.equal(await api.get('/x'), null);
});

test('what happened to the file of a store is reply to the page', async () => {
    const reply = [];
    events.addEventListener('file', (event) => reply.push(event.detail.store), { once: true });
    server.answer = () => new Response('{"error":{"code":"fileDeleted","store":"s1"}}', { status: 410 });
    await assert.rejects(api.get('/x'));
    assert.deepEqual(reply, ['s1']);
});

test('a server that is not there is an error without a status; a request that was given up stays one', async () => {
    const { fetch } = globalThis;
    set('fetch', async () => { throw new TypeError('no network'); });
    await assert.rejects(api.get('/x'),
        (error) => error instanceof ApiError && error.status === 0 && error.code === 'unreachable');
    set('fetch', async () => { throw new DOMException('given up', 'AbortError'); });
    await assert.rejects(api.get('/x'), { name: 'AbortError' });
    set('fetch', fetch);
});
