/** A model: its items as tables or as a diagram, with an inspector; its versions, its check and its classes. */
import { h, fill, find, findAll, focusedElement, button, debounce } from '../base/dom.js';
import { needStrings, t } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { note } from '../base/router.js';
import { keysFor } from '../base/keyboard.js';
import { needStyle } from '../base/download.js';
import { ModelSession, ownerOf } from '../base/models.js';
import { shell } from '../components/shell.js';
import { ModelOutline } from '../components/modelOutline.js';
import { ModelInspector } from '../components/modelInspector.js';
import { showTables } from '../components/modelTables.js';
import { bindCopying } from '../components/modelCopying.js';
import { versionTools } from '../components/modelVersions.js';

const views = ['tables', 'diagram', 'findings', 'compare', 'classes'];

export async function render({ params, query, signal }) {
    const [session] = await Promise.all([new ModelSession(params.model, query.get('version') ?? '').load(signal),
        needStyle('model'), needStrings('model')]);
    const view = new ModelView(session, query, signal);
    return { element: view.element, title: session.reply.name, wide: true,
        crumbs: [[t('stores.title'), '/'], [session.reply.name]] };
}

class ModelView {
    /**
     * @param {import('../base/models.js').ModelSession} session
     * @param {URLSearchParams} query
     * @param {AbortSignal} signal
     */
    constructor(session, query, signal) {
        this.session = session;
        this.signal = signal;
        this.view = views.includes(query.get('view')) ? query.get('view') : 'tables';
        /** @type {import('../components/modelDiagram.js').ModelDiagram | null} */
        this.diagram = null;
        /** The names of the items that are selected. */
        this.selected = new Set([query.get('item')].filter((i) => i && session.find(i)));
        if (!this.selected.size) this.selected.add(session.of('entity')[0]?.item ?? '.');
        this.tools = h('div.line.modeltools', { role: 'toolbar', 'aria-label': t('model.tools') });
        this.notes = h('div', { 'aria-live': 'polite' });
        this.center = h('div.modelcenter', { tabindex: '-1' });
        this.outline = new ModelOutline(session, this);
        this.inspector = new ModelInspector(session, this);
        this.element = h('div.modelpage', {}, this.tools, this.notes,
            h('div.modelbody', {}, this.outline.element, this.center, this.inspector.element));
        session.addEventListener('changed', () => this.draw(), { signal });
        session.addEventListener('findings', () => this.drawFindings(), { signal });
        keysFor({ undo: () => this.act(() => session.undo()), redo: () => this.act(() => session.redo()),
            save: () => this.save() }, signal);
        bindCopying(this, signal);
        const follow = debounce(50, () => !document.hidden && session.refresh().catch(() => {}));
        addEventListener('focus', follow, { signal });
        const timer = setInterval(follow, 3000);
        signal.addEventListener('abort', () => clearInterval(timer));
        addEventListener('beforeunload', (e) => { if (session.reply.unsaved) e.preventDefault(); }, { signal });
        this.draw();
    }

    // Selection

    /** The one item that is selected, or the first of several. */
    get first() { return [...this.selected][0] ?? '.'; }

    /**
     * The entity, request, configuration or composite that the selection is in; the model itself where it is in none.
     */
    get place() {
        let place = this.first;
        while (ownerOf(place) !== '.') place = ownerOf(place);
        return place;
    }

    select(item, { adds = false, focuses = false } = {}) {
        const former = this.place;
        if (!adds) this.selected.clear();
        if (adds && this.selected.has(item) && this.selected.size > 1) this.selected.delete(item);
        else this.selected.add(item);
        if (this.view !== 'tables' && this.view !== 'diagram') this.show('tables');
        else if (this.view === 'tables' && former !== this.place) this.drawCenter();
        if (this.view !== 'tables' || former === this.place || focuses) this.drawSelection(focuses);
        this.note();
    }

    drawSelection(focuses = false) {
        const { place, selected } = this;
        // Only what is marked or is to be: a model may have a thousand rows beside.
        const names = [...new Set([...selected, place])].map((name) => `[data-item="${CSS.escape(name)}"]`);
        const rows = ['[data-item][aria-current="true"]', 'tr.selected[data-item]', ...names].join();
        for (const row of [this.outline.element, ...(this.view === 'tables' ? [this.center] : [])].flatMap((place) =>
            findAll(place, rows))) {
                const isSelected = selected.has(row.dataset.item)
                    || (row.dataset.place !== undefined && row.dataset.item === place);
                if (row instanceof HTMLButtonElement) row.setAttribute('aria-current', String(isSelected));
                if (row instanceof HTMLTableRowElement) row.classList.toggle('selected', isSelected);
                if (isSelected && focuses) row.scrollIntoView({ block: 'nearest' });
            }
        this.diagram?.drawSelection();
        this.inspector.draw();
    }

    note() {
        note({ version: this.session.reply.versions.find((v) => v.current)?.name === this.session.version ? ''
            : this.session.version,
            view: this.view === 'tables' ? '' : this.view, item: this.first === '.' ? '' : this.first });
    }

    show(view) {
        this.view = view;
        this.drawTools();
        this.drawCenter();
        this.note();
    }

    // Steps

    /** Does a step and shows what came of it; false where it was refused. */
    async act(step) {
        try {
            const reply = await step();
            for (const text of reply?.notes ?? []) shell.notify(text);
            return reply ?? true;
        } catch (error) {
            if (error.code === 'changedMeanwhile') await this.session.refresh().catch(() => {});
            else shell.fail(error);
            return false;
        }
    }

    perform(...edits) { return this.act(() => this.session.perform(edits)); }

    async save() {
        if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
        await this.session.after;
        if (this.session.reply.unsaved && await this.act(() => this.session.save())) shell.notify(t('model.saved'));
    }

    // Drawing

    draw() {
        for (const item of [...this.selected]) if (!this.session.find(item)) this.selected.delete(item);
        if (!this.selected.size) this.selected.add(this.session.of('entity')[0]?.item ?? '.');
        this.drawTools();
        this.drawNotes();
        this.outline.draw();
        this.drawCenter();
        // The tables mark what is selected themselves.
        if (this.view !== 'tables') this.drawSelection();
    }

    drawTools() {
        const { session } = this;
        const focused = this.tools.contains(document.activeElement) ? focusedElement().dataset.tool : null;
        const { undo, redo, unsaved, editable } = session.reply;
        fill(this.tools,
            h('div.line', { role: 'tablist', 'aria-label': t('model.views') }, views.map((v) => button(v === 'findings'
                ? h('span', {}, t('model.view.findings'), ' ', h('span.count', { data: { findings: '' } }))
                : t(`model.view.${v}`), () => this.show(v),
                { role: 'tab', 'aria-selected': String(this.view === v), class: 'small',
                    data: { tool: `view-${v}` } }))),
            versionTools(this), h('span.grow'),
            editable && [
                button('↶', () => this.act(() => session.undo()),
                    { disabled: !undo, title: undo ? t('model.undo', { step: undo }) : '',
                        'aria-label': t('model.undoStep'), data: { tool: 'undo' } }),
                button('↷', () => this.act(() => session.redo()),
                    { disabled: !redo, title: redo ? t('model.redo', { step: redo }) : '',
                        'aria-label': t('model.redoStep'), data: { tool: 'redo' } }),
                button(t('action.save'), () => this.save(),
                    { class: 'primary', disabled: !unsaved, data: { tool: 'save' } })]);
        if (focused) find(this.tools, `[data-tool="${focused}"]`)?.focus();
        this.drawFindings();
    }

    drawNotes() {
        const { session } = this;
        const { reason, changedOutside } = session.reply;
        fill(this.notes, reason && h('p.dim', { role: 'note' }, serverNode(reason)),
            changedOutside && session.reply.unsaved
                && h('div.line.problem', { role: 'alert' }, h('span', {}, t('model.changedOutside')),
                    button(t('model.merge'), () => this.act(() => session.merge()), { class: 'primary' }),
                    button(t('model.discard'), () => this.act(() => session.discard()), { class: 'danger' })));
    }

    async drawCenter() {
        const { view } = this;
        if (view === 'diagram' && this.diagram) return this.diagram.follow();
        this.diagram?.leave();
        this.diagram = null;
        // The other views are loaded when they are first shown, and the page has a heading before.
        if (view !== 'tables' && !this.center.querySelector('h1')) {
            fill(this.center, h('h1.unseen', {}, t(`model.view.${view}`)));
        }
        if (view === 'tables') return showTables(this.center, this);
        if (view === 'diagram') {
            const { ModelDiagram } = await import('../components/modelDiagram.js');
            if (this.view !== 'diagram' || this.diagram) return undefined;
            this.diagram = new ModelDiagram(this.center, this);
            return this.diagram.follow();
        }
        const module = await import(`../components/model${view[0].toUpperCase()}${view.slice(1)}.js`);
        return this.view === view && module.show(this.center, this);
    }

    drawFindings() {
        const { findings } = this.session;
        const count = this.tools.querySelector('[data-findings]');
        if (count) count.textContent = findings.length ? String(findings.length) : '';
        count?.classList.toggle('problem', findings.some((f) => f.severity === 'error'));
        this.outline.drawFindings();
        this.inspector.drawFindings();
        if (this.view === 'findings') this.drawCenter();
    }
}
