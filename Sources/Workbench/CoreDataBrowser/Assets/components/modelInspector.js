/** The inspector: everything that can be set of the selected items, and what is wrong with them. */
import { h, fill, find, focusedElement, button, stored, uid } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { edit, setting } from '../base/models.js';
import { fillLater, optionControl } from './modelOption.js';
import { findingRow } from './modelFindings.js';
import { removeSelected } from './modelTables.js';
import { openAdding } from './modelAdding.js';
import { copySelected } from './modelCopying.js';
import { rename } from './modelRename.js';

export class ModelInspector {
    /**
     * @param {import('../base/models.js').ModelSession} session
     * @param {{selected: Set<string>, [member: string]: any}} view
     */
    constructor(session, view) {
        this.session = session;
        this.view = view;
        this.asking = null;
        this.shown = '';
        this.form = h('div', {});
        this.found = h('ul.findings', { 'aria-label': t('model.view.findings') });
        this.element = h('aside.modelinspector', { 'aria-label': t('model.inspector') }, this.form, this.found);
    }

    get names() { return [...this.view.selected]; }

    async draw() {
        const { session, names } = this;
        const key = JSON.stringify([session.version, session.reply.revision, names]);
        if (key === this.shown) return;
        this.shown = key;
        this.asking?.abort();
        this.asking = new AbortController();
        let reply;
        try {
            reply = await api.get(session.path('items', { items: names.join('\n') }), this.asking.signal);
        } catch (error) {
            if (error.name !== 'AbortError') { this.shown = ''; fill(this.form, h('p.problem', {}, error.message)); }
            return;
        }
        const focused = this.form.contains(document.activeElement) ? focusedElement().dataset.option : null;
        fill(this.form, this.head(reply), h('div.formgrid', {}, reply.options.map((o) => this.row(o))),
            this.parts(reply));
        if (focused) find(this.form, `[data-option="${focused}"]`)?.focus({ preventScroll: true });
        this.drawFindings();
    }

    head(reply) {
        const { session, names, view } = this;
        const [kind] = reply.kinds;
        if (names.length > 1) return [h('h2', {}, t('model.several', { count: names.length })), this.actions(reply)];
        const item = session.find(names[0]);
        const canRename = session.editable && !['model', 'constraint', 'member'].includes(kind);
        const name = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false',
            'aria-label': t('model.field.name'), data: { option: 'name' }, is: { value: item?.name ?? '' } });
        const keeps = h('input', { type: 'checkbox', is: { checked: this.keepsIdentity ?? false },
            on: { change: () => { this.keepsIdentity = keeps.checked; } } });
        name.addEventListener('change', async () => {
            const to = name.value.trim();
            const isRenamed = to && to !== item.name && await rename(view, item, to, keeps.checked);
            if (isRenamed) view.select(renamed(item, to));
            else name.value = item.name;
        });
        return [h('h2', {}, t(`model.kind.${kind}`), ' ', stored(item?.name ?? '')),
            canRename && h('div', {}, h('div.line', {}, name),
                ['entity', 'attribute', 'relationship'].includes(kind)
                    && h('label.line.dim', {}, keeps, t('model.keepIdentity'))),
            this.actions(reply)];
    }

    actions(reply) {
        const { session, view, names } = this;
        if (names.includes('.')) return null;
        const isProperty = reply.kinds.every((k) => ['attribute', 'relationship', 'fetched-property'].includes(k))
            && !names[0].startsWith('composites/');
        const move = h('select', { 'aria-label': t('model.move') }, h('option', { value: '' }, t('model.move')));
        fillLater(move, () => session.of('entity').map((e) => h('option', { value: e.name }, e.name)));
        move.addEventListener('change', async () => {
            const moved = names.map((n) => `${move.value}.${session.find(n)?.name}`);
            if (await view.perform(...names.map((n) => edit('move', n, move.value)))) view.select(moved[0]);
        });
        return h('div.line', {}, button(t('model.copy'), () => copySelected(view), { class: 'small' }),
            session.editable && button(t('model.remove'), () => removeSelected(view), { class: 'small danger' }),
            session.editable && isProperty && move);
    }

    row(option) {
        const { session, names, view } = this;
        const item = session.find(names[0]) ?? { values: {}, name: '' };
        const change = (value) => view.perform(...names.map((n) => setting(n, { [option.name]: value })));
        const control = optionControl(view, item, option, change);
        control.dataset.option = option.name;
        control.id = uid('option');
        const label = h('label', { for: control.id, class: option.stated ? '' : 'dim', title: option.summary },
            t(`model.option.${option.name}`));
        if (option.form !== 'predicate' || !session.editable) return [label, control];
        return [label, h('div.line', {}, control, button(t('builder.title'), async () => {
            const { openPredicate } = await import('./modelPredicate.js');
            const text = await openPredicate(view, item, option);
            if (text !== null) await change(text || null);
        }, { class: 'small', data: { build: option.name } }))];
    }

    /** What stands in the item and has no table of its own: its user info. */
    parts(reply) {
        const { session, view, names } = this;
        if (names.length > 1 || !reply.parts.includes('user-info') || reply.kinds[0] === 'entity') return null;
        const item = session.find(names[0]);
        const entries = item?.parts.filter((p) => p.kind === 'user-info') ?? [];
        return h('section', {},
            h('div.line', {}, h('h3', {}, t('model.kinds.user-info')),
                session.editable && button('+', () => openAdding(view, 'user-info', item.item),
                    { class: 'small', 'aria-label': t('model.addKind', { kind: t('model.kind.user-info') }) })),
            h('ul', {}, entries.map((e) => h('li.line', {},
                button(stored(e.name), () => view.select(e.item), { class: 'plain small' }),
                stored(e.values.value ?? '')))));
    }

    drawFindings() {
        const { session, names } = this;
        const isHere = (item) => names.some((n) => item === n || ((n === '.') && item === null));
        fill(this.found, session.findings.filter((f) => isHere(f.item)).map((f) => findingRow(this.view, f)));
    }
}

/** The name of an item after it was renamed: its own name is the end of it. */
const renamed = (item, name) => item.item.slice(0, item.item.length - item.name.length) + name;
