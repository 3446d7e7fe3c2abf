/** Shows the view that the address names, also for Back and Forward. */
import { root, unreachable } from './api.js';
import { t } from './i18n.js';
import { storeInfo } from './store.js';
import { noteView } from './viewHistory.js';

/**
 * Patterns of paths, the module of Assets/pages that shows them, if not the part `view` is its name, and the names of
 * their parts.
 * @type {[RegExp, string, string[]][]}
 */
const routes = [
    [/^\/$/, 'stores', []],
    [/^\/stores\/([^/]+)$/, 'store', ['store']],
    [/^\/stores\/([^/]+)\/entities\/([^/]+)$/, 'list', ['store', 'entity']],
    [/^\/stores\/([^/]+)\/objects\/([^/]+)\/([^/]+)$/, 'object', ['store', 'entity', 'key']],
    [/^\/stores\/([^/]+)\/history\/([^/]+)$/, 'transaction', ['store', 'number']],
    [/^\/stores\/([^/]+)\/(history|check|import|jobs|console|map|sql|subscriptions|sync)$/, '', ['store', 'view']],
    [/^\/stores\/([^/]+)\/tables$/, 'rawStore', ['store']],
    [/^\/stores\/([^/]+)\/tables\/([^/]+)$/, 'rawStore', ['store', 'table']],
    [/^\/models\/([^/]+)$/, 'model', ['model']],
    [/^\/instruments$/, 'instruments', []],
    [/^\/instruments\/([^/]+)$/, 'instrument', ['trace']],
    [/^\/compare$/, 'compare', []],
    [/^\/compare\/models$/, 'compareModels', []],
    [/^\/apps\/([^/]+)$/, 'app', ['app']],
    [/^\/apps\/([^/]+)\/lists\/([^/]+)$/, 'app', ['app', 'list']],
    [/^\/apps\/([^/]+)\/forms\/([^/]+)\/([^/]+)\/([^/]+)$/, 'appForm', ['app', 'form', 'entity', 'key']],
    [/^\/apps\/([^/]+)\/reports\/([^/]+)\/([^/]+)\/([^/]+)$/, 'appReport', ['app', 'entity', 'key', 'name']],
];

/** @type {import('./types.js').Frame} */
let frame;
let leaving = new AbortController();
let current = '';
/** @type {null | ((visit: import('./types.js').Visit) => boolean)} */
let adopt = null;
/** The store and title of the view that is shown. */
let shownView = [null, ''];

/** Goes to an address within the page. */
export function go(path, { replace = false } = {}) {
    const url = root + path;
    if (replace) history.replaceState(history.state, '', url);
    else history.pushState(null, '', url);
    show();
}

/** Changes the query of the address without showing the view again. */
export function note(query) {
    const text = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== '' && v !== null && v !== undefined))
        .toString();
    history.replaceState(history.state, '', location.pathname + (text ? `?${text}` : ''));
    noteView(...shownView);
}

/** Begins to follow the address. @param {import('./types.js').Frame} shown */
export function startRouter(shown) {
    frame = shown;
    addEventListener('popstate', show);
    document.addEventListener('click', (event) => {
        /** @type {HTMLAnchorElement | null} */
        const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
        if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) {
            return;
        }
        const url = new URL(link.href);
        if (url.origin !== location.origin || link.target || link.hasAttribute('download')) return;
        event.preventDefault();
        go(url.pathname.slice(root.length) + url.search);
    });
    show();
}

/** Shows the view again, as after a change that it cannot follow by itself. */
export const reload = () => { current = ''; show(); };

/** @param {string} path @returns {string} an address for links */
export const link = (path) => root + path;

/** The address of an object, with the objects that led to it. */
export function objectLink(store, id, trail = []) {
    const path = id.split('/').map(encodeURIComponent).join('/');
    const question = trail.length ? `?trail=${encodeURIComponent(trail.join(','))}` : '';
    return link(`/stores/${store}/objects/${path}${question}`);
}

async function show() {
    const { shell, failure, load } = frame;
    const path = location.pathname.slice(root.length).replace(/\.json$/, '') || '/';
    const [module, params] = match(path);
    const query = new URLSearchParams(location.search);
    if (adopt && current === path && adopt({ params, query, signal: leaving.signal })) return noteView(...shownView);
    leaving.abort();
    leaving = new AbortController();
    const signal = leaving.signal;
    const isNewPlace = current !== path;
    current = path;
    adopt = null;
    if (!module) return shell.show(failure({ message: t('error.noSuchPage'), hint: path }));
    // A number is a place among what was given to the program, which can be another's after the next start.
    const place = placeIn(params, query);
    if (place) return shell.show(failure({ message: t('error.place', { place }), hint: t('error.placeHint') }));
    shell.busy(true);
    try {
        // A module that could not be fetched is not fetched again by the same document.
        const page = await load(module).catch(() => null);
        if (!page) return shell.show(failure({ message: unreachable.text }, () => location.reload()));
        const shown = await page.render({ params, query, signal });
        if (signal.aborted) return;
        adopt = shown.adopt ?? null;
        shownView = [shown.store?.id ?? shown.storeID ?? null, shown.title];
        noteView(...shownView);
        document.title = shown.title ? `${shown.title} · Core Data` : 'Core Data';
        shell.show(shown.element, shown);
        if (isNewPlace) shell.announce(shown.title ?? '');
    } catch (error) {
        if (error.name === 'AbortError' || signal.aborted) return;
        // What is staged in a store stays in sight when something happened to its file.
        const store = error.store && error.store === params.store ? await storeInfo(params.store).catch(() => null)
            : null;
        if (!signal.aborted) {
            shell.show(failure(error, reload), { store,
                crumbs: store ? [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`]] : [] });
        }
    } finally {
        if (!signal.aborted) shell.busy(false);
    }
}

/** The number that an address has in place of a name; empty where it has names only. */
function placeIn(params, query) {
    const names = [params.store, params.app, params.model?.replace(/^store-/, ''),
        ...['left', 'right'].map((side) => query.get(side)?.split(':')[0])];
    return names.find((name) => /^\d+$/.test(name ?? '')) ?? '';
}

/** @returns {[string | null, Record<string, string>]} */
function match(path) {
    for (const [pattern, module, names] of routes) {
        const found = pattern.exec(path);
        if (!found) continue;
        try {
            const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])]));
            return [module || params.view, params];
        } catch {
            return [null, {}];
        }
    }
    return [null, {}];
}
