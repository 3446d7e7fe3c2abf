/**
 * A store that could not be opened, such as one without a model: why, and the rows of its tables as SQLite has them.
 */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { needStyle } from '../base/download.js';
import { link } from '../base/router.js';
import { failure, loading } from '../components/states.js';
import { resultTable, sqlCell } from '../components/resultTable.js';

const limit = 100;

export async function render({ params, query, signal }, reason = null) {
    await needStyle('console');
    const [answer] = await Promise.all([api.get(address(['stores', params.store, 'tables']), signal).catch((error) => {
        if (!reason) throw error;
        return { store: { name: params.store, problems: [] }, tables: [], error };
    })]);
    const { store, tables } = answer;
    const crumbs = [[t('stores.title'), '/'], [store.name, `/stores/${params.store}/tables`]];
    const why = (store.problems ?? []).map((p) => h('p.problem', { role: 'note' }, serverNode(p)));
    if (params.table !== undefined) {
        const place = h('div', {}, loading());
        showRows(place, params, Number(query.get('offset') ?? 0), signal);
        return { element: h('div.page', {}, h('h1', {}, stored(params.table)), place), title: params.table,
            crumbs: [...crumbs, [params.table]] };
    }
    const row = (table) => h('tr', {}, h('th', { scope: 'row' },
        h('a', { href: link(address(['stores', params.store, 'tables', table.name])) }, stored(table.name))),
        h('td', {}, t(table.entity ? 'entity.name' : 'raw.table')));
    const element = h('div.page', {}, h('h1', {}, stored(store.name)), store.path && h('p.dim', {}, stored(store.path)),
        why.length ? why : failure(reason), h('p', {}, t('raw.about')),
        answer.error ? h('p.problem', {}, stored(answer.error.message))
            : h('table.plain', {}, h('tbody', {}, tables.map(row))));
    return { element, title: store.name, crumbs };
}

async function showRows(place, params, offset, signal) {
    try {
        const answer = await api.get(address(['stores', params.store, 'tables', params.table], { offset, limit }),
            signal);
        const columns = answer.columns.map((title) => ({ title }));
        const rows = answer.rows.map((cells) => cells.map((value, i) => sqlCell(value, columns[i])));
        const turn = (to, text) => button(text, () => showRows(place, params, to, signal),
            { disabled: to < 0 || to >= answer.total });
        fill(place, resultTable(params.table, columns, rows), h('div.line', {}, turn(offset - limit, '‹'), h('span', {},
            `${number(Math.min(offset + 1, answer.total))}–${number(offset + rows.length)} / ${number(answer.total)}`),
            turn(offset + limit, '›')));
    } catch (error) {
        if (error.name !== 'AbortError') fill(place, failure(error, () => showRows(place, params, offset, signal)));
    }
}
