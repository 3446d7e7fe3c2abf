import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { load, root, server } from './page.mjs';

const key = `opencoredata:views:${root}`;
sessionStorage.setItem(key, JSON.stringify({ tab: 'mine', views: [] }));
const { beneath, noteView, openLastView } = await load('base/viewHistory.js');

/** Goes to an address and has its view noted. */
function visit(path, title) {
    const [pathname, query] = path.split('?');
    Object.assign(location, { pathname: root + pathname, search: query ? `?${query}` : '' });
    noteView('s1', title);
}
const noted = () => JSON.parse(sessionStorage.getItem(key)).views.map((view) => view.path);

/** Answers as a server whose stores keep these views; addresses of `gone` answer 404. */
function serve(kept, gone = []) {
    server.answer = (method, path) => {
        if (path === '/') return { stores: Object.keys(kept).map((id) => ({ id })) };
        const store = /^\/stores\/([^/]+)\/state\/view/.exec(path)?.[1];
        if (store) return kept[store];
        return gone.includes(path) ? new Response('{}', { status: 404 }) : {};
    };
}

beforeEach(async () => {
    serve({});
    await openLastView();
    history.pushed.length = 0;
    server.asked.length = 0;
});

test('views follow each other, and one that is there already becomes the last', () => {
    for (const path of ['/apps/a', '/apps/a/lists/1', '/apps/a/forms/f/Hero/p1']) visit(path, path);
    assert.deepEqual(noted(), ['/apps/a', '/apps/a/lists/1', '/apps/a/forms/f/Hero/p1']);
    assert.deepEqual(beneath('a').map((view) => view.path), ['/apps/a', '/apps/a/lists/1']);
    visit('/apps/a/lists/1?search=x', 'list');
    assert.deepEqual(noted(), ['/apps/a', '/apps/a/lists/1?search=x']);
});

test('the address of an application is that of its first list', () => {
    visit('/apps/a', 'A');
    visit('/apps/a/lists/0?sort=name', undefined);
    assert.deepEqual(noted(), ['/apps/a/lists/0?sort=name']);
    assert.equal(JSON.parse(sessionStorage.getItem(key)).views[0].title, 'A');
});

test('lists of other parents are other views', () => {
    visit('/apps/a/lists/1?parent=p1', '');
    visit('/apps/a/lists/1?parent=p2', '');
    assert.equal(noted().length, 2);
});

test('forms of new objects and views without a store are not noted', () => {
    visit('/apps/a', '');
    visit('/apps/a/forms/f/Hero/new', '');
    location.pathname = `${root}/instruments`;
    noteView(null, '');
    assert.deepEqual(noted(), ['/apps/a']);
});

test('the twelve newest are kept', () => {
    for (let i = 0; i < 20; i++) visit(`/apps/a/forms/f/Hero/p${i}`, '');
    assert.equal(noted().length, 12);
    assert.equal(noted()[0], '/apps/a/forms/f/Hero/p8');
});

test('only views of the application itself are beneath', () => {
    for (const path of ['/apps/ab/lists/1', '/stores/s1/entities/Hero', '/apps/a/lists/1', '/apps/a/forms/f/Hero/p1']) {
        visit(path, '');
    }
    assert.deepEqual(beneath('a').map((view) => view.path), ['/apps/a/lists/1']);
});

test('the views of the same tab are opened before newer ones of others, without those that have gone', async () => {
    serve({
        s1: { tab: 'mine', at: 1,
            views: [{ path: '/apps/a' }, { path: '/apps/a/forms/f/Hero/p9' }, { path: '/apps/a/lists/1' }] },
        s2: { tab: 'other', at: 9, views: [{ path: '/stores/s2/entities/Hero' }] },
    }, ['/apps/a/forms/f/Hero/p9']);
    await openLastView();
    assert.deepEqual(history.pushed, [`${root}/apps/a`, `${root}/apps/a/lists/1`]);
});

test('of other tabs the newest is opened; addresses that are none of a view are left out', async () => {
    const odd = [{ path: 'https://example.org/' }, { path: '//example.org/stores/1' }, { path: 7 }, null, {},
        { path: '/instruments' }, { path: '/stores/s2' }];
    serve({ s1: { tab: 'x', at: 1, views: [{ path: '/apps/a' }] }, s2: { tab: 'y', at: 2, views: odd },
        s3: { tab: 'z', at: 3, views: 'no list' }, s4: null });
    await openLastView();
    assert.deepEqual(history.pushed, [`${root}/stores/s2`]);
});
