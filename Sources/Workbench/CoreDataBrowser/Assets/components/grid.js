/**
 * A grid of rows that are drawn as they come into view.
 *
 * One cell is active; arrow keys move it, and screen readers follow by `aria-activedescendant`. The host says what
 * lines there are, draws cells, and hears what is done.
 */
import { h, uid } from '../base/dom.js';
import { number, t } from '../base/i18n.js';
import { Viewport } from './viewport.js';
import { GridHeader } from './gridHeader.js';

/** @typedef {{key: string, title: string, type: string, width: number, pinned: boolean}} Column */
/**
 * @typedef {object} Host
 * @property {() => number} count lines, sections' headers among them
 * @property {(index: number) => any} line `{row}`, `{section}` or null while it is asked
 * @property {(row: any, column: Column) => Node} cell
 * @property {(row: any, column: Column) => string} [cellClass]
 * @property {(row: any, index: number) => string} rowClass
 * @property {(id: string, index: number) => boolean} isSelected
 */

export class Grid extends EventTarget {
    /** @param {Host} host @param {string} label */
    constructor(host, label) {
        super();
        this.host = host;
        this.id = uid('grid');
        this.columns = [];
        this.active = { row: 0, column: 0 };
        this.anchor = 0;
        /** @type {Map<number, HTMLElement>} */
        this.drawn = new Map();
        this.layer = h('div.gridlayer', { role: 'presentation' });
        this.head = new GridHeader(this);
        this.body = h('div.gridbody', { role: 'presentation' }, this.head.element, this.layer);
        this.element = h('div.grid',
            { role: 'grid', tabindex: '0', 'aria-label': label, 'aria-multiselectable': 'true', id: this.id },
            this.body);
        this.view = new Viewport(this.element, this.layer, 30);
        this.element.addEventListener('scroll', () => this.draw(), { passive: true });
        this.element.addEventListener('keydown', (e) => this.key(e));
        this.layer.addEventListener('click', (e) => this.click(e));
        this.layer.addEventListener('dblclick', (e) => this.at(e) && this.emit('edit'));
        this.observer = new ResizeObserver(() => this.refresh());
        this.observer.observe(this.element);
    }

    /** Shows other columns. @param {Column[]} columns @param {any[]} sorts */
    setColumns(columns, sorts) {
        this.columns = columns;
        this.element.setAttribute('aria-colcount', String(columns.length));
        this.head.draw(sorts);
        this.measure();
        this.active.column = Math.min(this.active.column, Math.max(0, columns.length - 1));
        this.forget();
        this.refresh();
    }

    /** Tells the style sheet how wide columns are and where pinned ones stick. */
    measure() {
        this.body.style.setProperty('--columns', this.columns.map((c) => `${c.width}px`).join(' '));
        this.body.style.setProperty('--wide', `${this.columns.reduce((sum, c) => sum + c.width, 0)}px`);
        let at = 0;
        this.stops = this.columns.map((c) => {
            const stop = c.pinned ? at : null;
            if (c.pinned) at += c.width;
            return stop;
        });
        this.head.stick(this.stops);
    }

    /** Draws lines again after they changed. */
    forget() {
        for (const element of this.drawn.values()) element.remove();
        this.drawn.clear();
    }

    /** Follows a changed number of lines, and draws what is missing. */
    refresh() {
        const count = this.host.count();
        this.element.setAttribute('aria-rowcount', String(count + 1));
        this.view.resize(count);
        this.active.row = Math.min(this.active.row, Math.max(0, count - 1));
        this.draw();
    }

    draw() {
        const [first, last] = this.view.range;
        for (const [index, element] of this.drawn) {
            if (index >= first - 4 && index <= last + 4 && element.dataset.waits !== 'yes') continue;
            if (index >= first && index <= last && !this.host.line(index)) continue;
            element.remove();
            this.drawn.delete(index);
        }
        for (let index = Math.max(0, first - 3); index <= Math.min(this.view.count - 1, last + 3); index++) {
            let element = this.drawn.get(index);
            if (!element) {
                element = this.make(index);
                this.drawn.set(index, element);
                this.layer.append(element);
            }
            element.style.setProperty('--y', `${this.view.y(index)}px`);
        }
        this.mark();
    }

    make(index) {
        const line = this.host.line(index);
        if (!line) {
            return h('div.row.waits',
                { role: 'row', 'aria-rowindex': index + 2, 'aria-busy': 'true', data: { waits: 'yes', index } },
                h('div.cell', { role: 'gridcell' }, h('span.bone')));
        }
        if (line.section) return h('div.row.sectionrow', { role: 'row', 'aria-rowindex': index + 2, data: { index } },
            h('div.sectionname', { role: 'rowheader', 'aria-colspan': this.columns.length, id: this.cellId(index, 0) },
                h('bdi', {}, line.section.name || t('value.nil')), h('span.dim', {},
                    ` ${number(line.section.count)}`)));
        return h('div.row', { role: 'row', 'aria-rowindex': index + 2, class: this.host.rowClass(line.row, index),
            data: { index, id: line.row.id } },
            this.columns.map((column, c) => {
                const cell = h('div.cell', { role: c === 0 ? 'rowheader' : 'gridcell', id: this.cellId(index, c),
                    'aria-colindex': c + 1, class: this.cellClass(line.row, column, c), data: { column: c } },
                    this.host.cell(line.row, column));
                if (this.stops[c] !== null) cell.style.setProperty('--stop', `${this.stops[c]}px`);
                return cell;
            }));
    }

    cellClass(row, column, c) {
        const numbers = ['integer16', 'integer32', 'integer64', 'decimal', 'double', 'float', 'count'];
        return [this.stops[c] !== null && 'pinned', numbers.includes(column.type) && 'num',
            this.host.cellClass?.(row, column)].filter(Boolean).join(' ');
    }

    cellId(row, column) { return `${this.id}-${row}-${column}`; }

    /** Marks the active cell and the selected rows. */
    mark() {
        this.layer.querySelector('.active')?.classList.remove('active');
        for (const [index, element] of this.drawn) {
            const id = element.dataset.id;
            if (id) element.setAttribute('aria-selected', String(this.host.isSelected(id, index)));
        }
        const id = this.cellId(this.active.row, this.active.column);
        const cell = this.layer.querySelector(`#${id}`)
            ?? this.layer.querySelector(`#${this.cellId(this.active.row, 0)}`);
        if (cell) {
            cell.classList.add('active');
            this.element.setAttribute('aria-activedescendant', cell.id);
        } else this.element.removeAttribute('aria-activedescendant');
    }

    /** The element of the active cell. */
    get cell() { return this.layer.querySelector(`#${this.cellId(this.active.row, this.active.column)}`); }
    get column() { return this.columns[this.active.column]; }

    /** Makes a cell the active one, in view. */
    move(row, column = this.active.column, extend = false) {
        const count = this.host.count();
        if (!count) return;
        this.active = { row: Math.max(0, Math.min(count - 1, row)),
            column: Math.max(0, Math.min(this.columns.length - 1, column)) };
        if (!extend) this.anchor = this.active.row;
        this.view.reveal(this.active.row);
        this.draw();
        this.revealColumn();
        this.emit('move', { extend });
    }

    revealColumn() {
        if (this.column?.pinned || !this.cell) return;
        const [cell, frame] = [this.cell.getBoundingClientRect(), this.element.getBoundingClientRect()];
        const pinned = this.columns.reduce((sum, c) => sum + (c.pinned ? c.width : 0), 0);
        const isRTL = getComputedStyle(this.element).direction === 'rtl';
        const [left, right] = isRTL ? [frame.left, frame.right - pinned] : [frame.left + pinned, frame.right];
        if (cell.left < left) this.element.scrollLeft -= left - cell.left;
        else if (cell.right > right) this.element.scrollLeft += Math.min(cell.right - right, cell.left - left);
    }

    emit(name, detail = {}) { return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: true })); }

    at(event) {
        const cell = event.target.closest('.cell');
        const row = event.target.closest('.row');
        if (!row?.dataset.id) return null;
        return { row: Number(row.dataset.index), column: Number(cell?.dataset.column ?? 0) };
    }

    click(event) {
        const at = this.at(event);
        if (!at || event.target.closest('a, button, input, select, textarea')) return;
        this.element.focus({ preventScroll: true });
        this.move(at.row, at.column, event.shiftKey);
        if (event.ctrlKey || event.metaKey) this.emit('toggle');
    }

    key(event) {
        if (event.target !== this.element || event.altKey) return;
        const { row, column } = this.active;
        const page = Math.max(1, Math.floor(this.view.height / this.view.line) - 1);
        const forward = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
        const control = event.ctrlKey || event.metaKey;
        const moves = {
            ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + forward],
            ArrowLeft: [row, column - forward],
            PageDown: [row + page, column], PageUp: [row - page, column],
            Home: control ? [0, 0] : [row, 0],
            End: control ? [this.host.count() - 1, column] : [row, this.columns.length - 1],
        };
        if (moves[event.key]) this.move(...moves[event.key], event.shiftKey);
        else if (event.key === 'Enter' || event.key === 'F2') this.emit('edit');
        else if (event.key === ' ') this.emit('toggle');
        else if (event.key === 'Delete') this.emit('delete');
        else if (control && event.key.toLowerCase() === 'c') this.emit('copy');
        else if (control && event.key.toLowerCase() === 'a') this.emit('all');
        else return;
        event.preventDefault();
    }

    stop() { this.observer.disconnect(); }
}
