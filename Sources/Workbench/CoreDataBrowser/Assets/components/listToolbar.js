/** The toolbar of a list: search, predicate, filters, columns, sections, copies, adding and bulk edits. */
import { h, fill, button, debounce } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { settings, choose } from '../base/settings.js';
import { act } from './editBar.js';
import { editsOf } from '../base/edits.js';
import { address } from '../base/api.js';
import { go, link } from '../base/router.js';
import { openMenu } from './menu.js';
import { exportMenu } from './exportMenu.js';
import { predicateField } from './predicateField.js';

export function listToolbar(context) {
    const { store, state, change, facets } = context;
    const search = h('input.search', { type: 'search', placeholder: t('list.search'), 'aria-label': t('list.search'),
        value: state.search, spellcheck: 'false' });
    const send = debounce(300, () => change({ search: search.value.trim(), selected: '' }, { replace: true }));
    search.addEventListener('input', send);
    const field = predicateField(context);
    const predicate = h('div.predicaterow', { hidden: !state.where }, field.element);
    const toggle = (name, place, on) => {
        const b = button(t(name), () => {
            place.hidden = !place.hidden;
            b.setAttribute('aria-expanded', String(!place.hidden));
            on?.(!place.hidden);
        }, { 'aria-expanded': String(!place.hidden) });
        return b;
    };
    const filterToggle = toggle('list.predicate', predicate, (open) => open && field.focus());
    const facetToggle = toggle('facets.title', facets,
        async (open) => open && (await import('./facets.js')).showFacets(context));
    const paneToggle = button(t('pane.toggle'), () => {
        choose('pane', !settings.pane);
        paneToggle.setAttribute('aria-pressed', String(settings.pane));
        context.togglePane();
    }, { 'aria-pressed': String(settings.pane), class: 'wideonly' });
    const writes = h('span.writes');
    const drawWrites = () => fill(writes, store.writing && [
        button(`+ ${t('list.add')}`, (e) => add(e, context), { class: 'primary', 'data-command': 'add' }),
        button(t('list.more'), (e) => openMenu(e.currentTarget, editing(context)), { 'aria-haspopup': 'menu' }),
    ]);
    drawWrites();
    store.addEventListener('writing', drawWrites, { signal: context.signal });
    const element = h('div.toolbar', { role: 'toolbar', 'aria-label': t('list.tools') },
        h('div.toolrow', {}, search, filterToggle, facetToggle,
            button(t('filters.title'),
                async (e) => openMenu(e.currentTarget, await (await import('./filters.js')).filterMenu(context)),
                { 'aria-haspopup': 'menu' }),
            button(t('columns.title'), async () => (await import('./columnsDialog.js')).openColumns(context)),
            button(t('sections.title'), (e) => openMenu(e.currentTarget, sectionMenu(context)),
                { 'aria-haspopup': 'menu' }),
            button(t('copy.title'), (e) => openMenu(e.currentTarget, [...['tsv', 'json', 'swift'].map((form) =>
                ({ text: t(`copy.${form}`), do: () => context.view.selection.copy(form) })),
                ...exportMenu(store, { entities: context.entity.name, where: state.where },
                    state.search ? [] : ['csv', 'json', 'jsonl'])]), { 'aria-haspopup': 'menu' }),
            context.entity.coordinates?.length > 0 && h('a.button', { href:
                link(address(['stores', store.id, 'map'], { entity: context.entity.name, where: state.where })) },
                t('map.title')),
            paneToggle, h('span.grow'), writes),
        predicate);
    return {
        element,
        follow() {
            if (document.activeElement !== search) search.value = state.search;
            field.follow();
            if (state.where) predicate.hidden = false;
            if (!facets.hidden) import('./facets.js').then((m) => m.showFacets(context));
        },
    };
}

function sectionMenu({ entity, state, change }) {
    const none = { text: t('sections.none'), checked: !state.section, do: () => change({ section: '' }) };
    const keys = [
        ...entity.attributes.filter((a) => !['binary', 'transformable', 'composite'].includes(a.type) && !a.transient)
            .map((a) => a.name),
        ...entity.relationships.filter((r) => !r.toMany && !r.transient).map((r) => r.name)];
    return [none, ...keys.map((key) => ({ text: key, checked: state.section === key,
        do: () => change({ section: key, sort: state.sort || key }) }))];
}

async function add(event, { store, entity }) {
    const kinds = store.concrete(entity.name);
    const make = async (name) => {
        const reply = await act(() => editsOf(store.id).stage(t('edits.insertName', { name }),
            [{ do: 'insert', entity: name, values: {} }]));
        if (reply?.created?.[0]) go(`/stores/${store.id}/objects/${reply.created.at(-1)}`);
    };
    if (kinds.length === 1) return make(kinds[0]);
    return openMenu(event.currentTarget, kinds.map((name) => ({ text: name, do: () => make(name) })));
}

function editing(context) {
    const { store, view } = context;
    const ids = view?.selection.ids ?? [];
    const duplicate = (deep) => act(() => editsOf(store.id).stage(t('edits.duplicateName'),
        ids.map((object) => ({ do: 'duplicate', object, deep }))));
    return [
        { text: t('edits.bulk'), do: async () => (await import('./bulkEdit.js')).openBulkEdit(context) },
        { text: t('edits.duplicate'), disabled: !ids.length, do: () => duplicate(false) },
        { text: t('edits.duplicateDeep'), disabled: !ids.length, do: () => duplicate(true) },
        { text: t('edits.delete', { count: ids.length }), disabled: !ids.length, danger: true,
            do: async () => (await import('./deletion.js')).openDeletion(store, ids) },
    ];
}
