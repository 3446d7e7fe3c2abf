/** Rows of an application's list in sections, of which only those in view exist. */
import { h, fill } from '../base/dom.js';

const rowHeight = 56;
const headerHeight = 30;
const windowSize = 100;

/**
 * @typedef {{name: string, indexTitle: string|null, offset: number, count: number}} Section
 * @typedef {{ask: (offset: number, limit: number) => Promise<any[]>, draw: (row: any, index: number) => HTMLElement}} Host
 */

export class AppRows {
    /** @param {Host} host */
    constructor(host) {
        this.host = host;
        /** @type {Map<number, any[] | null>} windows of rows by their number; null while one is asked */
        this.windows = new Map();
        /** @type {Section[]} */
        this.sections = [];
        this.total = 0;
        this.space = h('div.approws', { role: 'list' });
        this.sticky = h('div.appsection.sticky', { 'aria-hidden': 'true', hidden: true });
        this.element = h('div.appscroll', { tabindex: '0', role: 'group' }, this.sticky, this.space);
        this.element.addEventListener('scroll', () => this.draw(), { passive: true });
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    /** Shows an answer of the server, whose rows begin at its offset. */
    take(answer) {
        this.total = answer.total;
        this.sections = answer.sections.length ? answer.sections : [{ name: null, indexTitle: null, offset: 0, count: answer.total }];
        this.windows.clear();
        if (answer.offset % windowSize === 0) this.windows.set(answer.offset / windowSize, answer.rows);
        let top = 0;
        this.places = this.sections.map((section) => {
            const place = { section, top, header: section.name === null ? 0 : headerHeight };
            top += place.header + section.count * rowHeight;
            return place;
        });
        this.space.style.setProperty('block-size', `${top}px`);
        this.space.replaceChildren();
        this.drawn = new Map();
        this.draw();
    }

    row(index) {
        const number = Math.floor(index / windowSize);
        const rows = this.windows.get(number);
        if (rows === undefined) {
            this.windows.set(number, null);
            this.host.ask(number * windowSize, windowSize).then((found) => {
                this.windows.set(number, found);
                for (const [key, element] of this.drawn) {
                    if (!element.classList.contains('waits')) continue;
                    element.remove();
                    this.drawn.delete(key);
                }
                this.draw();
            }, () => this.windows.delete(number));
        }
        return rows?.[index - number * windowSize] ?? null;
    }

    draw() {
        if (!this.places) return;
        const top = this.element.scrollTop;
        const bottom = top + (this.element.clientHeight || 600);
        const wanted = new Map();
        for (const place of this.places) {
            const end = place.top + place.header + place.section.count * rowHeight;
            if (end < top - 200) continue;
            if (place.top > bottom + 200) break;
            if (place.header) wanted.set(`s${place.section.offset}`, [place.top, () => this.header(place.section)]);
            const first = Math.max(0, Math.floor((top - 200 - place.top - place.header) / rowHeight));
            const last = Math.min(place.section.count, Math.ceil((bottom + 200 - place.top - place.header) / rowHeight));
            for (let i = first; i < last; i++) {
                const index = place.section.offset + i;
                wanted.set(`r${index}`, [place.top + place.header + i * rowHeight, () => this.make(index)]);
            }
        }
        for (const [key, element] of this.drawn) {
            if (wanted.has(key)) continue;
            element.remove();
            this.drawn.delete(key);
        }
        for (const [key, [y, make]] of wanted) {
            if (this.drawn.has(key)) continue;
            const element = make();
            element.style.setProperty('--y', `${y}px`);
            this.drawn.set(key, element);
            this.space.append(element);
        }
        const at = this.places.findLast((place) => place.top <= top);
        this.sticky.hidden = !at?.header || top === 0;
        if (at) fill(this.sticky, h('bdi', {}, at.section.name ?? ''));
    }

    header(section) { return h('div.appsection', { role: 'listitem' }, h('h2', {}, h('bdi', {}, section.name))); }

    make(index) {
        const row = this.row(index);
        const element = row ? this.host.draw(row, index) : h('div', { role: 'listitem', 'aria-busy': 'true' }, h('span.bone'));
        element.classList.add('approw');
        element.classList.toggle('waits', !row);
        element.dataset.index = String(index);
        return element;
    }

    /** Scrolls to a section. */
    jump(section) {
        const place = this.places?.find((one) => one.section === section);
        if (place) this.element.scrollTop = place.top;
    }
}
