/**
 * The views that led to the one that is shown: each store keeps them for each tab, so that the next start of the
 * program opens the same view in the same tab, and the newest of all tabs in another one. Where an object of theirs has
 * gone, the view beneath is opened.
 */
import { address, api, root } from './api.js';
import { debounce } from './dom.js';

const greatest = 12;
const key = `opencoredata:views:${root}`;
/**
 * What the tab noted last; its name is another one after the program was started again.
 * @type {{tab: string, views: {path: string, title: string}[]}}
 */
const noted = read();
let { views } = noted;

function read() {
    try {
        const { tab = '', views = [] } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
        return { tab, views };
    } catch {
        return { tab: '', views: [] };
    }
}

const tabName = () => api.session?.tab ?? 'program';

/** Views of the same list by another order or search take each other's place. */
const placeOf = (path) => {
    const url = new URL(path, 'http://x');
    // An application's address shows its first list.
    return `${url.pathname.replace(/^(\/apps\/[^/]+)\/lists\/0$/, '$1')}?${url.searchParams.get('parent') ?? ''}`;
};

const stateOf = (store, tab) => address(['stores', store, 'state', 'view'], { tab });
const keep = debounce(300,
    (store) => api.put(stateOf(store, tabName()), { tab: tabName(), at: Date.now(), views }).catch(() => {}));

/** Notes the view that is shown, with the store that it belongs to; one that is listed already becomes the last. */
export function noteView(store, title) {
    const path = location.pathname.slice(root.length) + location.search;
    if (!store || path.includes('/new')) return;
    const place = placeOf(path);
    const at = views.findIndex((view) => placeOf(view.path) === place);
    views = [...views.slice(0, at < 0 ? views.length : at), { path, title: title ?? views[at]?.title ?? '' }].slice(
        -greatest);
    sessionStorage.setItem(key, JSON.stringify({ tab: tabName(), views }));
    keep(store);
}

/** The views beneath the one that is shown, as far as they belong to an application. */
export const beneath = (app) => {
    const place = placeOf(location.pathname.slice(root.length) + location.search);
    const at = views.findIndex((view) => placeOf(view.path) === place);
    return views.slice(0, at < 0 ? views.length : at)
        .filter((view) => view.path.startsWith('/apps/') && view.path.split(/[/?]/)[2] === encodeURIComponent(app));
};

/** Opens the view of the last time, and puts what was beneath it into the history of the window. */
export async function openLastView() {
    views = [];
    const kept = await lastViews().catch(() => []);
    for (const view of kept) {
        // Each view answers JSON at its own address: that of an object that has gone answers 404.
        const isThere = await api.get(view.path).then(() => true, () => false);
        if (isThere) views.push(view);
    }
    for (const view of views) history.pushState(null, '', root + view.path);
}

async function lastViews() {
    const { stores = [] } = await api.get('/');
    const kept = await Promise.all(stores.filter((store) => !store.closed)
        .map((store) => api.get(stateOf(store.id, noted.tab || tabName())).catch(() => null)));
    const isOwn = (one) => Number(one.tab === noted.tab);
    const latest = kept.filter((one) => Array.isArray(one?.views))
        .sort((a, b) => isOwn(b) - isOwn(a) || b.at - a.at)[0];
    return (latest?.views ?? [])
        .filter((view) => typeof view?.path === 'string' && /^\/(stores|apps)\//.test(view.path)).slice(-greatest);
}
