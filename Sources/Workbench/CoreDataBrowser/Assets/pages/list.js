/** A list of an entity's objects: toolbar, facets, grid, sections, and a pane with the selected object. */
import { h, fill } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { storeInfo } from '../base/store.js';
import { settings } from '../base/settings.js';
import { note, go } from '../base/router.js';
import { failure, empty, loading } from '../components/states.js';
import { shell } from '../components/shell.js';
import { ListView } from '../components/listView.js';
import { listToolbar } from '../components/listToolbar.js';

/** The members of the query that make another list; `selected` only says where one is in it. */
const parts = ['where', 'search', 'sort', 'keys', 'section', 'selected'];

export async function render({ params, query, signal }) {
    const store = await storeInfo(params.store);
    const entity = store.entities.get(params.entity);
    if (!entity) {
        throw Object.assign(new Error(t('error.noEntity', { name: params.entity })),
            { hint: [...store.entities.keys()].slice(0, 10).join(', ') });
    }
    const base = `/stores/${store.id}/entities/${encodeURIComponent(entity.name)}`;
    const state = Object.fromEntries(parts.map((part) => [part, query.get(part) ?? '']));
    const kept = await api.get(`/stores/${store.id}/state/columns`, signal).catch(() => null);
    /** @type {import('../base/types.js').ListContext} */
    const context = { store, entity, base, state, kept: kept ?? {}, signal, view: null, change };

    const place = h('div.listplace', {}, loading());
    const pane = h('aside.pane', { 'aria-label': t('pane.title'), hidden: !settings.pane });
    const status = h('div.liststatus', { role: 'status' });
    const facets = h('div.facets', { hidden: true, role: 'region', 'aria-label': t('facets.title') });

    /** Changes the list; its address follows. @param {Record<string, string>} changes */
    function change(changes, { replace = false } = {}) {
        // `adopt` finds what has changed from the former state.
        const text = new URLSearchParams(Object.entries({ ...state, ...changes }).filter(([, v]) => v)).toString();
        go(base + (text ? `?${text}` : ''), { replace });
    }
    context.select = (id) => {
        state.selected = id ?? '';
        note(state);
        showPane(id);
    };
    context.reply = (text) => { status.textContent = text; };
    context.togglePane = () => { pane.hidden = !settings.pane; showPane(state.selected); };
    context.facets = facets;

    let asked = 0;
    async function showPane(id) {
        if (pane.hidden || !id || innerWidth < 900) return;
        const mine = ++asked;
        const { objectPane } = await import('../components/objectPane.js');
        const shown = await objectPane(store, id, { signal }).catch((error) => failure(error));
        if (mine === asked && !signal.aborted) fill(pane, shown);
    }

    async function load() {
        context.view?.stop();
        const view = new ListView(context);
        context.view = view;
        try {
            await view.begin();
        } catch (error) {
            if (error.name === 'AbortError') return;
            // What cannot be shown in sections or in an order is shown without them; the address keeps no state that
            // fails.
            const sort = state.sort === state.section ? '' : state.sort;
            if (error.status === 422 && state.section) {
                shell.fail(error);
                return void context.change({ section: '', sort }, { replace: true });
            }
            fill(place, failure(error, load));
            return;
        }
        if (context.view !== view || signal.aborted) return view.stop();
        if (view.source.length === 0 && !view.newObjects()) fill(place, emptyList(context));
        else fill(place, view.element);
        view.grid.refresh();
        if (!state.selected) fill(pane, empty(t('pane.empty'), t('pane.emptyHint')));
        else showPane(state.selected);
    }

    const toolbar = listToolbar(context);
    signal.addEventListener('abort', () => context.view?.stop());
    addEventListener('settings', (/** @type {CustomEvent} */ e) => e.detail === 'zone' && context.view?.redraw(),
        { signal });
    const element = h('div.listpage', {}, h('h1.unseen', {}, entity.name), toolbar.element,
        h('div.listbody', {}, facets, place, pane), status);
    load();

    return {
        element, wide: true, store, title: entity.name,
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [entity.name]],
        adopt(visit) {
            const before = { ...state };
            for (const part of parts) state[part] = visit.query.get(part) ?? '';
            if (parts.some((part) => part !== 'selected' && before[part] !== state[part])) {
                toolbar.follow();
                load();
            }
            return true;
        },
    };
}

function emptyList({ store, entity, state, change }) {
    const isNarrowed = state.where || state.search;
    return isNarrowed
        ? empty(t('list.noneFound'), t('list.noneFoundHint'),
            h('button', { type: 'button', on: { click: () => change({ where: '', search: '' }) } }, t('list.showAll')))
        : empty(t('list.none', { name: entity.name }), store.writing ? t('list.noneWriting') : t('list.noneReading'));
}

