/** The saves that a store's persistent history keeps, each of which can be taken back. */
import { h, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { timeNode } from '../base/format.js';
import { link } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { editsOf } from '../base/edits.js';
import { act } from '../components/editBar.js';
import { shell } from '../components/shell.js';
import { empty } from '../components/states.js';

export async function render({ params, signal }) {
    const store = await storeInfo(params.store);
    const ask = (before) => api.get(address(['stores', store.id, 'history'], { limit: 50, before }), signal);
    const told = await ask().catch((error) => {
        if (error.code === 'noHistory') return [];
        throw error;
    });
    const rows = (list) => (list.transactions ?? list ?? []).map((x) => entry(store, x));
    const list = h('ol', {}, rows(told));
    const older = button(t('history.older'), async () => {
        const more = await act(() => ask(list.lastElementChild?.dataset.number));
        const items = more ? rows(more) : [];
        list.append(...items);
        older.hidden = items.length < 50;
    });
    older.hidden = list.children.length < 50;
    const element = h('div.page', {}, h('h1', {}, t('history.title')), list.children.length ? [list, older] : empty(t('history.none'), t('history.noneHint')));
    return { element, store, title: t('history.title'), crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('history.title')]] };
}

function entry(store, x) {
    const number = x.number ?? x.transaction ?? x.id ?? x.transactionNumber;
    const changes = x.changes ?? [];
    const revert = async () => {
        const state = await act(() => api.post(`/stores/${store.id}/revert`, { transaction: number }));
        if (!state) return;
        editsOf(store.id).take(state);
        shell.tell(t('history.reverted'), 'good');
    };
    return h('li.change.updated', { data: { number } }, h('div.line', {}, h('strong', {}, t('history.transaction', { number: String(number) })),
        h('span.dim', {}, x.timestamp && timeNode(x.timestamp)), x.author && h('span.tag', {}, stored(x.author)), h('span.grow'),
        store.writing && button(t('history.revert'), revert, { class: 'small', title: t('history.revertText') })),
    h('details', {}, h('summary', {}, t('history.changes', { count: changes.length })), h('ul', {}, changes.slice(0, 200).map((c) => {
        const name = /[^/]+\/p\d+$/.exec(c.object ?? c.objectID ?? '')?.[0] ?? c.object ?? c.objectID ?? '';
        const properties = c.updatedProperties ?? c.properties ?? [];
        return h('li', {}, h('span.tag', {}, c.type ?? c.kind), ' ', /^[^/]+\/p\d+$/.test(name) ? h('a', { href: link(`/stores/${store.id}/objects/${name}`) }, stored(name)) : stored(name), ' ',
            h('span.dim', {}, stored(Array.isArray(properties) ? properties.join(', ') : '')));
    }))));
}
