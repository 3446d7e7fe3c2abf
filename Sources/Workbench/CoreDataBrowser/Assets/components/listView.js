/** The grid of a list with its rows, sections, staged values and selection. */
import { h, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { valueNode, colorOf } from '../base/format.js';
import { go, link } from '../base/router.js';
import { editsOf } from '../base/edits.js';
import { onLive } from '../base/live.js';
import { RowSource } from './rowSource.js';
import { Grid } from './grid.js';
import { Sections } from './sections.js';
import { Columns } from './columns.js';
import { Selection } from './selection.js';
import { shell } from './shell.js';

/** @type {typeof import('./kinds/kindNode.js') | null} */
let kinds = null;
/** @type {typeof import('./thumbnail.js') | null} */
let thumbnails = null;
let loading = null;

export class ListView {
    constructor(context) {
        this.context = context;
        const { store, base, state, entity } = context;
        this.store = store;
        this.edits = editsOf(store.id);
        this.leaving = new AbortController();
        this.source = new RowSource(base,
            { where: state.where, search: state.search, sort: state.sort, section: state.section, keys: state.keys });
        this.sections = null;
        this.columns = new Columns(context, () => this.showColumns());
        this.selection = new Selection(this);
        this.grid = new Grid({
            count: () => this.source.length + (this.sections?.count ?? 0),
            line: (index) => this.line(index),
            cell: (row, column) => this.cell(row, column),
            cellClass: (row, column) => (this.edits.staged(row.id, column.key) ? 'changed' : ''),
            rowClass: (row) => this.edits.kind(row.id) ?? '',
            isSelected: (id) => this.selection.has(id),
        }, t('list.grid', { name: entity.name }));
        this.fresh = h('div.newobjects', { hidden: true });
        /** @type {HTMLElement} */
        this.index = h('div.unseen');
        this.element = h('div.gridplace', {}, this.fresh, h('div.gridrow', {}, this.grid.element, this.index));
        this.listen();
    }

    async begin() {
        const asked = this.context.state.section ? this.askSections() : null;
        const { rows } = await this.source.begin();
        await asked;
        this.columns.take(this.source.columns, rows);
        this.showColumns();
        this.drawNew();
        this.showCount();
        const at = this.context.state.selected ? this.source.indexOf(this.context.state.selected) : -1;
        if (at >= 0) {
            this.grid.active.row = this.sections ? this.sections.lineOfRow(at) : at;
            requestAnimationFrame(() => { this.grid.view.reveal(this.grid.active.row); this.grid.draw(); });
        }
    }

    async askSections() {
        const { state, base } = this.context;
        const reply = await api.get(address([base.slice(1), 'sections'].map(decodeURIComponent),
            { where: state.where, search: state.search, sort: state.sort, section: state.section }),
            this.leaving.signal)
            .catch((error) => { shell.fail(error); return null; });
        if (!reply?.sections?.length) return;
        this.sections = new Sections(reply.sections);
        if (reply.order) this.source.order = reply.order;
        this.index = this.sections.bar((line) => {
            this.grid.view.to(line * this.grid.view.line);
            this.grid.move(line);
            this.grid.element.focus();
        });
        this.element.lastChild.lastChild.replaceWith(this.index);
    }

    showColumns() { this.grid.setColumns(this.columns.shown, this.sorts); }

    /** The sort keys of the address. */
    get sorts() {
        return (this.context.state.sort || '').split(',').filter(Boolean)
            .map((s) => ({ key: s.replace(/^-/, ''), descending: s.startsWith('-') }));
    }

    line(index) {
        const at = this.sections ? this.sections.at(index) : { row: index };
        if (at.section) return at;
        const row = this.source.row(at.row);
        return row ? { row } : null;
    }

    cell(row, column) {
        if (column.key === '#') {
            return h('a', { href: link(`/stores/${this.store.id}/objects/${row.id}`), tabindex: '-1', title: row.id },
                row.id.split('/').pop(), row.entity !== this.context.entity.name && h('span.tag', {}, row.entity));
        }
        const staged = this.edits.staged(row.id, column.key);
        if (staged) return this.value(staged.value, column);
        if (row.unreadable?.[column.key]) {
            return h('span.problem', { title: row.unreadable[column.key] }, t('value.unreadable'));
        }
        if (column.key in (row.counts ?? {})) return h('span', {}, number(row.counts[column.key]));
        if (column.key in (row.links ?? {})) {
            const target = row.links[column.key];
            return target ? h('a', { href: link(`/stores/${this.store.id}/objects/${target.id}`), tabindex: '-1',
                data: { preview: target.id } }, h('bdi', {}, target.label)) : valueNode(null);
        }
        const value = row.values?.[column.key];
        if (value?.type?.startsWith?.('image/')) return this.picture(row, column, value);
        const said = row.kinds?.[column.key];
        if (said) return this.said(said);
        const node = this.value(value, column);
        if (row.cut?.includes(column.key)) {
            node.title = t('value.cut');
            node.append('…');
        }
        return node;
    }

    /** A picture as its thumbnail; its size until the module is there. */
    picture(row, column, value) {
        const object = address(['stores', this.store.id, 'objects', row.id]);
        const path = `${object}/values/${encodeURIComponent(column.key)}`;
        if (thumbnails) return thumbnails.thumbnail(path, value, '/thumbnail?size=64');
        loading ??= import('./thumbnail.js').then((module) => { thumbnails = module; this.redraw(); });
        return this.value(value, column);
    }

    /** What a value says by its kind; its text until the module of kinds is there. */
    said(reading) {
        if (kinds) return kinds.kindNode(reading, { tabindex: '-1' });
        import('./kinds/kindNode.js').then((module) => { kinds ??= module; this.redraw(); });
        return stored(reading.text);
    }

    value(value, column) {
        if (column.type === 'transformable' && colorOf(value)) return valueNode(value, column.type);
        return valueNode(typeof value === 'object' && value?.label ? value.label : value, column.type,
            column.style);
    }

    listen() {
        const { grid, edits, source, context } = this;
        const { signal } = this.leaving;
        const on = (name, work) => grid.addEventListener(name, work, { signal });
        on('move', ({ detail }) => {
            this.selection.moved(detail.extend);
            const line = this.line(grid.active.row);
            if (line?.row) context.select(line.row.id);
        });
        on('toggle', () => this.selection.toggle());
        on('all', () => this.selection.all());
        on('copy', () => this.selection.copy('tsv'));
        on('sort', ({ detail }) => this.sort(detail.key, detail.add));
        on('sized', () => this.columns.keep());
        on('reorder', ({ detail }) => this.columns.move(detail.key, detail.before));
        on('edit', () => this.edit());
        on('delete', async () => this.store.writing && this.selection.ids.length
            && (await import('./deletion.js')).openDeletion(this.store, this.selection.ids));
        grid.element.addEventListener('paste', async (e) => {
            if (e.target !== grid.element || !this.store.writing) return;
            e.preventDefault();
            (await import('./gridEditor.js')).pasteBlock(this, e.clipboardData.getData('text/plain'));
        }, { signal });
        source.addEventListener('change', () => { grid.refresh(); this.showCount(); }, { signal });
        source.addEventListener('failed', (/** @type {CustomEvent} */ { detail }) => shell.fail(detail), { signal });
        edits.addEventListener('change', () => { this.redraw(); this.drawNew(); }, { signal });
        edits.addEventListener('saved', () => this.source.refresh().then(() => this.redraw()), { signal });
        onLive((event) => this.live(event), signal);
        import('./preview.js').then((m) => m.previews(this.element, this.store, signal));
    }

    /** Follows a save by others: changed rows are asked for again and flash. */
    async live(event) {
        if (event.kind !== 'saved' || event.store !== this.store.id) return;
        const ids = new Set([...(event.updated ?? []), ...(event.deleted ?? [])]);
        const isResized = event.many || event.inserted?.length || event.deleted?.length;
        await this.source.refresh(isResized ? null : ids);
        this.redraw();
        for (const element of this.grid.drawn.values()) if (ids.has(element.dataset.id)) element.classList.add('flash');
    }

    /** The new objects of the entity's family that this tab has staged, above the grid. */
    drawNew() {
        const family = new Set(this.store.concrete(this.context.entity.name));
        const fresh = this.edits.state.changes.filter((c) => c.kind === 'inserted' && family.has(c.entity));
        this.fresh.hidden = !fresh.length;
        this.fresh.replaceChildren(h('strong', {}, t('edits.new')),
            ...fresh.slice(0, 50).map((c) => h('a.chip', { href: link(`/stores/${this.store.id}/objects/${c.object}`) },
                h('bdi', {}, c.label || c.object))));
    }

    newObjects() { return !this.fresh.hidden; }

    sort(key, add) {
        if (key === '#') return this.context.change({ sort: '' });
        const sorts = this.sorts;
        const old = sorts.find((s) => s.key === key);
        const next = old ? (old.descending ? null : { key, descending: true }) : { key, descending: false };
        const kept = add ? sorts.map((s) => (s.key === key ? next : s)).filter(Boolean) : [];
        if (next && (!add || !old)) kept.push(next);
        return this.context.change({ sort: kept.map((s) => (s.descending ? '-' : '') + s.key).join(',') });
    }

    /** Edits the active cell; opens the object where it cannot be edited in place. */
    async edit() {
        const line = this.line(this.grid.active.row);
        if (!line?.row) return;
        const { editCell, isEditable } = await import('./gridEditor.js');
        if (this.store.writing && isEditable(this, this.grid.column)) editCell(this, line.row);
        else go(`/stores/${this.store.id}/objects/${line.row.id}`);
    }

    showCount() {
        const { source } = this;
        const texts = [source.total === null ? t('list.atLeast', { count: Math.max(0, source.seen - 1) })
            : t('list.count', { count: source.total })];
        if (this.selection.ids.length > 1) texts.push(t('list.selected', { count: this.selection.ids.length }));
        this.context.reply([...texts, ...source.notes].join(' · '));
    }

    redraw() { this.grid.forget(); this.grid.refresh(); }

    stop() { this.leaving.abort(); this.source.stop(); this.grid.stop(); }
}
