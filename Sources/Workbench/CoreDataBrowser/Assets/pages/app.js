/** A list of an application: tabs, search, sections with an index strip, Edit and Done, adding. */
import { h, fill, button, debounce, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go, link, note, reload } from '../base/router.js';
import { onLive, follow } from '../base/live.js';
import { storeInfo } from '../base/store.js';
import { keysFor } from '../base/keyboard.js';
import { beneath } from '../base/viewHistory.js';
import { thumbnail } from '../components/thumbnail.js';
import { shell } from '../components/shell.js';
import { SavedSteps } from '../components/savedSteps.js';
import { empty } from '../components/states.js';
import { AppRows } from '../components/appRows.js';
import { problemList, stageAndSave, undoButtons, useStyles, visibleForm } from '../components/appParts.js';
import { colorOf } from '../base/format.js';
import { textColorOn } from '../components/textColor.js';

export async function render({ params, query, signal }) {
    useStyles();
    const app = await api.get(`/apps/${params.app}`, signal);
    const number = params.list ?? '0';
    const path = `/apps/${app.id}/lists/${number}`;
    const asked = Object.fromEntries(['tab', 'search', 'scope', 'parent'].map((key) => [key, query.get(key) ?? '']));
    const ask = (offset = 0, limit = 100) => api.get(address(path.slice(1).split('/'), { ...asked, offset, limit }),
        signal);
    const reply = await ask();
    const state = { app, path, reply, asked, isEditing: false, ask, rows: null };
    const content = h('div');
    state.element = content;
    const draw = () => fill(content, tools(state, draw), body(state, draw));
    state.steps = new SavedSteps(app.store, () => refresh(state, draw));
    draw();
    keysFor(state.steps, signal);
    onLive((event) => event.kind === 'saved' && event.store === app.store && refresh(state, draw).catch(shell.fail),
        signal);
    const way = beneath(app.id).filter((view) => /^\/apps\/[^/]+(\/lists\/|\?|$)/.test(view.path))
        .map((view) => [view.title, view.path]);
    const crumbs = [[t('stores.title'), '/'], ...(way.length ? way : [[app.title, `/apps/${app.id}`]]), [reply.title]];
    const others = app.lists.length > 1 && h('nav.line', { 'aria-label': app.title }, app.lists.map((l) => h('a.button',
        { href: link(`/apps/${app.id}/lists/${l.list}`), 'aria-current': String(l.list) === number ? 'page' : null },
        stored(l.title))));
    storeInfo(app.store).then(follow, () => {});
    return { element: h('div.page.app', {},
        h('h1', {}, stored(reply.title)), problemList(app.problems), others, content),
        title: reply.title, crumbs, storeID: app.store };
}

/** Shows what this view has saved; Ctrl-Z takes it back. */
async function done(state, draw, saved) {
    await state.steps.note(saved);
    await refresh(state, draw);
}

/** Follows a save: rows that are as they were keep their elements, and the list its place. */
async function refresh(state, draw) {
    const before = state.reply;
    const shape = (reply) => JSON.stringify([reply.total > 0, reply.title]);
    if (state.rows) state.reply = await state.rows.refresh();
    else state.reply = await state.ask();
    if (!state.reply.total) state.isEditing = false;
    const steps = state.element.querySelector('.steps');
    if (steps) fill(steps, undoButtons(state.steps));
    if (state.strip) fill(state.strip, indexButtons(state));
    if (shape(before) !== shape(state.reply)) {
        const top = state.rows?.element.scrollTop ?? 0;
        draw();
        if (state.rows) state.rows.element.scrollTop = top;
    }
}

/** A button of a tab, with its icon where it names one. */
function tabButton(app, item, choose, isChosen) {
    const made = button(item.title, choose, { 'aria-pressed': String(isChosen) });
    if (item.icon) {
        const icon = thumbnail(address(['apps', app.id, 'icons', item.icon]), { bytes: 0, type: 'image/png' });
        icon.alt = '';
        icon.title = '';
        made.prepend(icon);
    }
    return made;
}

function tools(state, draw) {
    const { app, reply, path, asked } = state;
    const move = (changes) => go(address(path.slice(1).split('/'), { ...asked, ...changes }), { replace: true });
    const tab = async (i) => {
        const list = app.lists.find((l) => String(l.list) === String(reply.list));
        if (list?.defaultsKey) {
            await api.put(`/apps/${app.id}/defaults/${encodeURIComponent(list.defaultsKey)}`, i).catch(() => {});
        }
        move({ tab: String(i) });
        reload();
    };
    const search = h('input.search', { type: 'search', value: asked.search, 'aria-label': t('app.search'),
        placeholder: t('app.search') });
    search.addEventListener('input', debounce(250, async () => {
        asked.search = search.value;
        note(asked);
        state.reply = await state.ask();
        draw();
        const again = /** @type {HTMLInputElement | null} */ (document.querySelector('.app .search'));
        again?.focus();
        again?.setSelectionRange(again.value.length, again.value.length);
    }));
    return h('div.apptools', {},
        reply.tabs.length > 1 && h('div.line.tabs', { role: 'group', 'aria-label': reply.title },
            reply.tabs.map((item, i) => tabButton(app, item, () => tab(i), reply.tab === i))),
        reply.searchable && search,
        reply.scopes?.length > 1 && h('select',
            { 'aria-label': t('app.scope'), on: { change: (e) => { move({ scope: e.target.value }); reload(); } } },
            reply.scopes.map((name, i) => h('option', { value: i, selected: String(i) === (asked.scope || '0') },
                name))),
        h('span.grow'),
        h('span.steps', {}, undoButtons(state.steps)),
        reply.editable && reply.total > 0 && button(t(state.isEditing ? 'action.done' : 'action.edit'), () => {
            state.isEditing = !state.isEditing;
            const top = state.rows?.element.scrollTop;
            draw();
            state.rows.element.scrollTop = top;
        }, { 'aria-pressed': String(state.isEditing) }),
        reply.editable && reply.add?.kinds?.length > 0 && button('+', () => add(state, draw),
            { class: 'primary', 'aria-label': t('action.add'), disabled: state.isEditing }));
}

async function add(state, draw) {
    const { app, reply } = state;
    const make = async (kind) => {
        if (kind.nameKey) {
            const saved = await addNamed(app, kind);
            return saved && done(state, draw, saved);
        }
        if (reply.add.mode === 'scratch' && visibleForm(kind.form)) {
            return go(address(['apps', app.id, 'forms', kind.form, kind.entity, 'new'],
                { values: JSON.stringify(kind.values ?? {}) }));
        }
        const saved = await stageAndSave(app, t('edits.insertName', { name: kind.entity }), kind.steps);
        return saved && done(state, draw, saved);
    };
    if (reply.add.kinds.length === 1) return make(reply.add.kinds[0]);
    const kind = await (await import('../components/sheets.js')).choose(t('action.add'),
        reply.add.kinds.map((one) => ({ text: one.label, value: one })));
    return kind && make(kind);
}

/** An object that is made by its name alone; Cancel makes none. */
async function addNamed(app, kind) {
    const { askName } = await import('../components/sheets.js');
    const given = await askName({ title: kind.label, label: kind.nameLabel, action: t('action.save'), info: kind });
    if (!given) return null;
    return stageAndSave(app, t('edits.insertName', { name: kind.entity }),
        given.info.steps.map((step) => ({ ...step, values: { ...step.values, [kind.nameKey]: given.text } })));
}

function body(state, draw) {
    const { reply } = state;
    state.rows = null;
    if (!reply.total) return empty(t(state.asked.search ? 'list.noneFound' : 'app.empty'));
    const rows = new AppRows({
        ask: state.ask,
        placesMatter: () => state.reply.shades || (state.isEditing && state.reply.reorders),
        wrong: (counted, total) => shell.notify(t('app.wrongCount', { counted, total }), 'error'),
        draw: (row, index) => rowItem(state, row, index, draw),
    });
    rows.take(reply);
    state.rows = rows;
    state.strip = h('nav.indexbar', { 'aria-label': t('sections.index') }, indexButtons(state));
    return h('div.appbody', {}, rows.element, state.strip);
}

/** A letter for each section; none where there is one section. */
function indexButtons({ reply, rows }) {
    if (reply.index.length < 2) return null;
    const titled = reply.sections.filter((s, i, all) => s.indexTitle && s.indexTitle !== all[i - 1]?.indexTitle);
    return titled.map((s) => button(s.indexTitle, () => rows.jump(s),
        { 'aria-label': t('sections.jump', { name: s.indexTitle }) }));
}

function rowItem(state, row, index, draw) {
    const { app, reply, path, isEditing } = state;
    const target = row.opens === 'list' ? address(path.slice(1).split('/'), { parent: row.id })
        : address(['apps', app.id, 'forms', row.form, ...row.id.split('/')]);
    const colour = row.color && colorOf(row.color);
    const remove = async () => {
        const { ask } = await import('../components/dialog.js');
        const isSure = await ask({ title: t('app.deleteRow', { name: row.title }),
            text: t('app.deleteText', { name: row.title }), action: t('action.delete'), danger: true });
        const saved = isSure && await stageAndSave(app, t('edits.deleteName'), [{ do: 'delete', object: row.id }]);
        if (saved) await done(state, draw, saved);
    };
    const reorder = async (to) => {
        const order = await api.post(`${path}/order`, { from: index, to });
        const saved = await stageAndSave(app, t('edits.moveName', { name: reply.title }), order.steps);
        if (saved) await done(state, draw, saved);
    };
    return h('div', { role: 'listitem', data: { id: row.id },
        vars: colour ? { '--row': colour, '--row-ink': textColorOn(colour) } : {},
        class: colour ? 'coloured' : reply.shades && index % 2 ? 'shaded' : '' },
        isEditing
            && button('−', remove, { class: 'round danger', 'aria-label': t('app.deleteRow', { name: row.title }) }),
        h('a', { href: link(target) }, h('strong', {}, stored(row.title || ' ')),
            row.subtitle !== null && h('span.dim', {}, stored(row.subtitle))),
        isEditing && reply.reorders && [button('↑', () => reorder(index - 1),
            { class: 'plain', disabled: index === 0, 'aria-label': t('edits.up', { name: row.title }) }),
            button('↓', () => reorder(index + 1), { class: 'plain', disabled: index >= reply.total - 1,
                'aria-label': t('edits.down', { name: row.title }) })]);
}
