/** A list of an application: tabs, search, sections with an index strip, Edit and Done, adding. */
import { h, fill, button, debounce, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go, link, reload } from '../base/router.js';
import { onLive } from '../base/live.js';
import { empty } from '../components/states.js';
import { AppRows } from '../components/appRows.js';
import { problemList, stageAndSave, useStyles, visibleForm } from '../components/appParts.js';
import { colorOf } from '../base/format.js';

export async function render({ params, query, signal }) {
    useStyles();
    const app = await api.get(`/apps/${params.app}`, signal);
    const number = params.list ?? '0';
    const path = `/apps/${app.id}/lists/${number}`;
    const asked = Object.fromEntries(['tab', 'search', 'scope', 'parent'].map((key) => [key, query.get(key) ?? '']));
    const ask = (offset = 0, limit = 100) => api.get(address(path.slice(1).split('/'), { ...asked, offset, limit }), signal);
    const told = await ask();
    const state = { app, path, told, asked, isEditing: false, ask };
    const content = h('div');
    const draw = () => fill(content, tools(state, draw), body(state, draw));
    draw();
    onLive((event) => event.kind === 'saved' && event.store === app.store && !state.isEditing && reload(), signal);
    const crumbs = [[t('stores.title'), '/'], [app.title, `/apps/${app.id}`], ...(asked.parent ? [[told.title]] : [])];
    const others = app.lists.length > 1 && h('nav.line', { 'aria-label': app.title }, app.lists.map((l) => h('a.button', { href: link(`/apps/${app.id}/lists/${l.list}`), 'aria-current': String(l.list) === number ? 'page' : null }, stored(l.title))));
    return { element: h('div.page.app', {}, h('h1', {}, stored(told.title)), problemList(app.problems), others, content), title: told.title, crumbs };
}

function tools(state, draw) {
    const { app, told, path, asked } = state;
    const move = (changes) => go(address(path.slice(1).split('/'), { ...asked, ...changes }), { replace: true });
    const tab = async (i) => {
        const list = app.lists.find((l) => String(l.list) === String(told.list));
        if (list?.defaultsKey) await api.put(`/apps/${app.id}/defaults/${encodeURIComponent(list.defaultsKey)}`, i).catch(() => {});
        move({ tab: String(i) });
        reload();
    };
    const search = h('input.search', { type: 'search', value: asked.search, 'aria-label': t('app.search'), placeholder: t('app.search') });
    search.addEventListener('input', debounce(250, async () => {
        asked.search = search.value;
        state.told = await state.ask();
        draw();
        const again = document.querySelector('.app .search');
        again?.focus();
        again?.setSelectionRange(again.value.length, again.value.length);
    }));
    return h('div.apptools', {},
        told.tabs.length > 1 && h('div.line.tabs', { role: 'group', 'aria-label': told.title }, told.tabs.map((item, i) => button(item.title, () => tab(i), { 'aria-pressed': String(told.tab === i) }))),
        told.searchable && search,
        told.scopes?.length > 1 && h('select', { 'aria-label': t('app.scope'), on: { change: (e) => { move({ scope: e.target.value }); reload(); } } }, told.scopes.map((name, i) => h('option', { value: i, selected: String(i) === (asked.scope || '0') }, name))),
        h('span.grow'),
        told.editable && told.total > 0 && button(t(state.isEditing ? 'action.done' : 'action.edit'), () => { state.isEditing = !state.isEditing; draw(); }, { 'aria-pressed': String(state.isEditing) }),
        told.editable && told.add?.kinds?.length > 0 && button('+', (e) => add(state, e.currentTarget), { class: 'primary', 'aria-label': t('action.add'), disabled: state.isEditing }));
}

async function add({ app, told }, anchor) {
    const make = async (kind) => {
        if (told.add.mode === 'scratch' && visibleForm(kind.form)) return go(address(['apps', app.id, 'forms', kind.form, kind.entity, 'new'], { values: JSON.stringify(kind.values ?? {}) }));
        const saved = await stageAndSave(app, t('edits.insertName', { name: kind.entity }), kind.steps);
        return saved && reload();
    };
    if (told.add.kinds.length === 1) return make(told.add.kinds[0]);
    const { openMenu } = await import('../components/menu.js');
    return openMenu(anchor, told.add.kinds.map((kind) => ({ text: kind.label, do: () => make(kind) })));
}

function body(state, draw) {
    const { told } = state;
    if (!told.total) return empty(t(state.asked.search ? 'list.noneFound' : 'app.empty'));
    const rows = new AppRows({
        ask: async (offset, limit) => (await state.ask(offset, limit)).rows,
        draw: (row, index) => rowItem(state, row, index, draw),
    });
    rows.take(told);
    const titled = told.sections.filter((s, i, all) => s.indexTitle && s.indexTitle !== all[i - 1]?.indexTitle);
    const strip = told.index?.length > 1 && h('nav.indexbar', { 'aria-label': t('sections.index') },
        titled.map((s) => button(s.indexTitle, () => rows.jump(s), { 'aria-label': t('sections.jump', { name: s.indexTitle }) })));
    return h('div.appbody', {}, rows.element, strip);
}

function rowItem(state, row, index, draw) {
    const { app, told, path, isEditing } = state;
    const target = row.opens === 'list' ? address(path.slice(1).split('/'), { parent: row.id }) : address(['apps', app.id, 'forms', row.form, ...row.id.split('/')]);
    const colour = row.color && colorOf(row.color);
    const remove = async () => {
        const { ask } = await import('../components/dialog.js');
        const isSure = await ask({ title: t('app.deleteRow', { name: row.title }), text: t('app.deleteText', { name: row.title }), action: t('action.delete'), danger: true });
        if (isSure && await stageAndSave(app, t('edits.deleteName'), [{ do: 'delete', object: row.id }])) {
            state.told = await state.ask();
            state.isEditing = state.told.total > 0;
            draw();
        }
    };
    const reorder = async (to) => {
        const order = await api.post(`${path}/order`, { from: index, to });
        if (!await stageAndSave(app, t('edits.moveName', { name: told.title }), order.steps)) return;
        state.told = await state.ask();
        draw();
    };
    return h('div', { role: 'listitem', data: { id: row.id }, vars: colour ? { '--row': colour } : {}, class: colour ? 'coloured' : '' },
        isEditing && button('−', remove, { class: 'round danger', 'aria-label': t('app.deleteRow', { name: row.title }) }),
        h('a', { href: link(target) }, h('strong', {}, stored(row.title || ' ')), row.subtitle !== null && h('span.dim', {}, stored(row.subtitle))),
        isEditing && told.reorders && [button('↑', () => reorder(index - 1), { class: 'plain', disabled: index === 0, 'aria-label': t('edits.up', { name: row.title }) }),
            button('↓', () => reorder(index + 1), { class: 'plain', disabled: index >= told.total - 1, 'aria-label': t('edits.down', { name: row.title }) })]);
}
