/** The items in an entity, a configuration or a composite as tables whose cells are edited in place. */
import { h, fill, findAll, focusedElement, button, stored, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { edit, setting } from '../base/models.js';
import { openAdding } from './modelAdding.js';
import { rename } from './modelRename.js';
import { optionControl } from './modelOption.js';

/** The tables of each kind of place: the kind of their rows and the options that are columns. */
const tables = {
    entity: [
        ['attribute', ['type', 'optional', 'default']],
        ['relationship', ['destination', 'inverse', 'to-many', 'delete-rule']],
        ['fetched-property', ['entity', 'predicate']], ['index', ['elements', 'predicate']], ['constraint', []],
        ['user-info', ['value']],
    ],
    composite: [['attribute', ['type', 'optional', 'default']]], configuration: [['member', []]], 'fetch-request': [],
    model: [],
};
const forms = { optional: 'flag', 'to-many': 'flag', type: 'type', destination: 'entity', entity: 'entity',
    'delete-rule': 'choice', inverse: 'name' };

/** Shows what is in the place that is selected. */
export function showTables(place, view) {
    const { session } = view;
    const item = session.find(view.place);
    const focus = focusOf(place);
    const overview = item.item === '.' ? overviewOf(view) : null;
    fill(place, h('h1', {}, item.item === '.' ? stored(session.reply.name) : stored(item.name)),
        item.values.parent && h('p.dim', {}, t('model.inherits'), ' ',
            button(stored(item.values.parent), () => view.select(item.values.parent), { class: 'plain small' })),
        overview ?? (tables[item.kind] ?? []).map(([kind, columns]) => table(view, item, kind, columns)));
    focus?.(place);
    view.drawSelection();
}

/** Finds the control again that had the focus before everything was drawn again. */
function focusOf(place) {
    const active = focusedElement();
    if (!place.contains(active)) return null;
    const [item, column] = [active.closest('[data-item]')?.getAttribute('data-item'),
        active.closest('[data-column]')?.getAttribute('data-column')];
    return (now) =>
        findAll(now, `[data-item="${CSS.escape(item ?? '')}"] [data-column]`).find((c) => c.dataset.column === column)
            ?.focus({ preventScroll: true });
}

function table(view, owner, kind, columns) {
    const { session } = view;
    const rows = owner.parts.filter((p) => p.kind === kind);
    const title = uid('table');
    return h('section.modeltable', { data: { kind } },
        h('div.line', {}, h('h2', { id: title }, t(`model.kinds.${kind}`), ' ', h('span.count', {}, rows.length)),
            h('span.grow'),
            session.editable && button(`+ ${t(`model.kind.${kind}`)}`, () => openAdding(view, kind, owner.item),
                { class: 'small', data: { add: kind } })),
    rows.length > 0 && h('div.tableplace', {}, h('table', { 'aria-labelledby': title },
        h('thead', {},
            h('tr', {}, h('th', {}, t('model.field.name')), columns.map((c) => h('th', {}, t(`model.field.${c}`))))),
        h('tbody', {}, rows.map((row) => line(view, row, columns))))));
}

function line(view, item, columns) {
    const { session } = view;
    const canRename = session.editable && !['constraint', 'member'].includes(item.kind);
    const name = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false',
        'aria-label': t('model.field.name'), title: item.name, data: { column: 'name' }, is: { value: item.name },
        readonly: !canRename });
    name.addEventListener('change', async () => {
        const renamed = name.value.trim();
        if (!renamed || renamed === item.name || !await rename(view, item, renamed)) name.value = item.name;
    });
    const cells = columns.map((column) => {
        const option = { name: column, form: forms[column] ?? 'text', words: session.reply.words[column] ?? [],
            value: item.values[column] ?? (forms[column] === 'flag' ? 'NO' : null),
            summary: t(`model.field.${column}`) };
        const control = optionControl(view, item, option,
            (value) => view.perform(setting(item.item, { [column]: value })));
        control.dataset.column = column;
        return h('td', {}, control);
    });
    return h('tr', { data: { item: item.item },
        on: { focusin: (e) => { if (!e.target.closest('.rowmark')) selectOnly(view, item.item); },
            keydown: (e) => remove(e, view) } },
        h('th', { scope: 'row' }, h('div.line', {}, button(h('span.kindmark', { data: { kind: item.kind } }),
            (e) => view.select(item.item, { adds: e.ctrlKey || e.metaKey || e.shiftKey }),
            { class: 'plain small rowmark', 'aria-label': t('model.selectItem', { name: item.name }),
                data: { column: 'mark' } }), name)), cells);
}

const selectOnly = (view, item) => { if (!view.selected.has(item) || view.selected.size > 1) view.select(item); };

/** Delete on the mark of a row takes away what is selected. */
function remove(event, view) {
    if (event.key !== 'Delete' || !event.target.classList.contains('rowmark') || !view.session.editable) return;
    event.preventDefault();
    removeSelected(view);
}

/** Takes the selected items away, and what would name them in vain where that is said. */
export async function removeSelected(view) {
    const items = [...view.selected].filter((i) => i !== '.');
    if (!items.length) return;
    const edits = (more) => items.map((i) => edit('remove', i, ...more));
    try {
        await view.session.perform(edits([]));
    } catch (error) {
        if (error.code !== 'inUse') return void view.act(() => Promise.reject(error));
        const { ask } = await import('./dialog.js');
        if (await ask({ title: t('model.remove'), text: t('model.removeAlso', { reason: error.message }),
            action: t('model.removeAll'), danger: true })) await view.perform(...edits(['--with-references']));
    }
    return undefined;
}

function overviewOf(view) {
    const { session } = view;
    const entities = session.of('entity');
    if (!entities.length) {
        return h('div.state', {}, h('h2', {}, t('model.empty')),
            session.editable && button(`+ ${t('model.kind.entity')}`, () => openAdding(view, 'entity', '.'),
                { class: 'primary', data: { add: 'entity' } }));
    }
    return h('div.tableplace', {}, h('table', {},
        h('thead', {}, h('tr', {}, [t('model.kind.entity'), t('model.field.parent'), t('model.kinds.attribute'),
            t('model.kinds.relationship')].map((text) => h('th', {}, text)))),
        h('tbody', {}, entities.map((e) => h('tr', {},
            h('th', { scope: 'row' }, button(stored(e.name), () => view.select(e.item), { class: 'plain small' })),
            h('td', {}, stored(e.values.parent ?? '')),
            h('td.num', {}, e.parts.filter((p) => p.kind === 'attribute').length), h('td.num', {},
                e.parts.filter((p) => p.kind === 'relationship').length))))));
}
