/** The names of a grid's columns: a click sorts, with Shift it adds; the edge sizes, a drag moves. */
import { h, fill, stored } from '../base/dom.js';

export class GridHeader {
    constructor(grid) {
        this.grid = grid;
        this.element = h('div.row.gridhead', { role: 'row', 'aria-rowindex': '1' });
    }

    /** @param {{key: string, descending: boolean}[]} sorts */
    draw(sorts) {
        fill(this.element, this.grid.columns.map((column, index) => this.cell(column, index, sorts)));
    }

    cell(column, index, sorts) {
        const at = sorts.findIndex((s) => s.key === column.key);
        const sort = at < 0 ? null : sorts[at];
        const label = h('button', {
            type: 'button', tabindex: '-1', title: `${column.key} · ${column.type}`, draggable: 'true',
            on: { click: (e) => this.grid.emit('sort', { key: column.key, add: e.shiftKey }) },
        }, stored(column.title), sort && h('span.sortmark', { 'aria-hidden': 'true' },
            (sort.descending ? '▼' : '▲') + (sorts.length > 1 ? at + 1 : '')));
        const edge = h('span.edge', { 'aria-hidden': 'true' });
        edge.addEventListener('pointerdown', (e) => this.size(e, column));
        edge.addEventListener('dblclick', () => { column.width = 160; this.grid.measure(); this.grid.emit('sized'); });
        const cell = h('div.cell', {
            role: 'columnheader', 'aria-colindex': index + 1,
            'aria-sort': at === 0 ? (sort.descending ? 'descending' : 'ascending') : 'none',
            class: this.grid.stops?.[index] !== null ? 'pinned' : '',
        }, label, edge);
        label.addEventListener('dragstart',
            (e) => { e.dataTransfer.setData('text/x-column', column.key); e.dataTransfer.effectAllowed = 'move'; });
        cell.addEventListener('dragover', (e) => e.dataTransfer.types.includes('text/x-column') && e.preventDefault());
        cell.addEventListener('drop', (e) => {
            e.preventDefault();
            this.grid.emit('reorder', { key: e.dataTransfer.getData('text/x-column'), before: column.key });
        });
        return cell;
    }

    /** Puts pinned names where their columns stick. */
    stick(stops) {
        for (const [i, cell] of /** @type {HTMLElement[]} */ ([...this.element.children]).entries()) {
            cell.classList.toggle('pinned', stops[i] !== null);
            if (stops[i] !== null) cell.style.setProperty('--stop', `${stops[i]}px`);
        }
    }

    size(event, column) {
        event.preventDefault();
        const [start, width] = [event.clientX, column.width];
        const sign = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
        const move = (e) => {
            column.width = Math.max(40, Math.min(900, width + sign * (e.clientX - start)));
            this.grid.measure();
        };
        const end = () => {
            removeEventListener('pointermove', move);
            this.grid.emit('sized');
            this.grid.forget();
            this.grid.refresh();
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', end, { once: true });
    }
}
