/**
 * Rows of an application's list in sections, of which only those in view exist; a row that is as it was keeps its
 * element.
 */
import { h, fill } from '../base/dom.js';

const rowHeight = 56;
const headerHeight = 30;
const windowSize = 100;

/**
 * @typedef {{name: string, indexTitle: string|null, offset: number, count: number}} Section
 * @typedef {{total: number, offset: number, rows: any[], sections: Section[]}} Answer
 * @typedef {{ask: (offset: number, limit: number) => Promise<Answer>, draw: (row: any, index: number) => HTMLElement,
 *     placesMatter?: () => boolean, wrong: (rows: number, total: number) => void}} Host
 */

export class AppRows {
    /** @param {Host} host */
    constructor(host) {
        this.host = host;
        /** @type {Map<number, any[] | null>} windows of rows by their number; null while one is asked */
        this.windows = new Map();
        /** @type {Map<string, HTMLElement>} */
        this.drawn = new Map();
        /** @type {{section: Section, top: number, header: number}[]} */
        this.places = [];
        /** What each element was drawn from. @type {WeakMap<HTMLElement, string>} */
        this.drawnFrom = new WeakMap();
        this.total = 0;
        this.space = h('div.approws', { role: 'list' });
        this.sticky = h('div.appsection.sticky', { 'aria-hidden': 'true', hidden: true });
        this.element = h('div.appscroll', { tabindex: '0', role: 'group' }, this.sticky, this.space);
        this.element.addEventListener('scroll', () => this.draw(), { passive: true });
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    /**
     * Shows an answer of the server; windows that were known before are asked for again when they come into view.
     * @param {Answer} answer
     */
    take(answer, ...others) {
        const counted = answer.sections.reduce((sum, section) => sum + section.count, 0);
        if (answer.sections.length && counted !== answer.total) this.host.wrong(counted, answer.total);
        this.total = answer.total;
        const sections = answer.sections.length ? answer.sections
            : [{ name: null, indexTitle: null, offset: 0, count: answer.total }];
        this.windows = new Map([answer, ...others].filter((one) => one.offset % windowSize === 0)
            .map((one) => [one.offset / windowSize, one.rows]));
        let top = 0;
        this.places = sections.map((section) => {
            const place = { section, top, header: section.name === null ? 0 : headerHeight };
            top += place.header + section.count * rowHeight;
            return place;
        });
        this.space.style.setProperty('block-size', `${top}px`);
        this.draw();
    }

    /**
     * Asks again what is in view, and shows what became of it. Gives the answer for the first window.
     * @returns {Promise<Answer>}
     */
    async refresh() {
        const inView = new Set([...this.drawn.values()].filter((one) => one.dataset.index)
            .map((one) => Math.floor(Number(one.dataset.index) / windowSize)));
        const numbers = [...new Set([0, ...inView])].sort((a, b) => a - b);
        const [first, ...others] =
            await Promise.all(numbers.map((number) => this.host.ask(number * windowSize, windowSize)));
        this.take(first, ...others);
        return first;
    }

    row(index) {
        const number = Math.floor(index / windowSize);
        const { windows } = this;
        const rows = windows.get(number);
        if (rows === undefined) {
            windows.set(number, null);
            this.host.ask(number * windowSize, windowSize).then((found) => {
                windows.set(number, found.rows);
                if (windows === this.windows) this.draw();
            }, () => windows.delete(number));
        }
        return rows?.[index - number * windowSize] ?? null;
    }

    draw() {
        const top = this.element.scrollTop;
        const bottom = top + (this.element.clientHeight || 600);
        /** @type {Map<string, HTMLElement>} */
        const shown = new Map();
        const put = (key, y, made) => {
            made.style.setProperty('--y', `${y}px`);
            if (!made.isConnected) this.space.append(made);
            shown.set(key, made);
        };
        for (const place of this.places) {
            const end = place.top + place.header + place.section.count * rowHeight;
            if (end < top - 200) continue;
            if (place.top > bottom + 200) break;
            if (place.header) {
                put(`section ${place.section.name}`, place.top,
                    this.drawn.get(`section ${place.section.name}`) ?? this.header(place.section));
            }
            const first = Math.max(0, Math.floor((top - 200 - place.top - place.header) / rowHeight));
            const last = Math.min(place.section.count,
                Math.ceil((bottom + 200 - place.top - place.header) / rowHeight));
            for (let i = first; i < last; i++) {
                const index = place.section.offset + i;
                const row = this.row(index);
                put(row?.id ?? `waits ${index}`, place.top + place.header + i * rowHeight, this.elementOf(row, index));
            }
        }
        for (const [key, element] of this.drawn) if (shown.get(key) !== element) element.remove();
        this.drawn = shown;
        const at = this.places.filter((place) => place.top <= top).at(-1);
        this.sticky.hidden = !at?.header || top === 0;
        if (at) fill(this.sticky, h('bdi', {}, at.section.name ?? ''));
    }

    header(section) { return h('div.appsection', { role: 'listitem' }, h('h2', {}, h('bdi', {}, section.name))); }

    /** The element of a row: the one that is drawn where the row is as it was. */
    elementOf(row, index) {
        const { section, ...values } = row ?? {};
        const reply = `${this.host.placesMatter?.() ? index : ''} ${JSON.stringify(values)}`;
        const old = this.drawn.get(row?.id ?? `waits ${index}`);
        const isSame = old !== undefined && this.drawnFrom.get(old) === reply;
        const element = isSame ? old : row ? this.host.draw(row, index)
            : h('div', { role: 'listitem', 'aria-busy': 'true' }, h('span.bone'));
        element.dataset.index = String(index);
        if (isSame) return element;
        element.classList.add('approw');
        element.classList.toggle('waits', !row);
        this.drawnFrom.set(element, reply);
        return element;
    }

    /** Scrolls to a section. */
    jump(section) {
        const place = this.places.find((one) => one.section.offset === section.offset);
        if (place) this.element.scrollTop = place.top;
    }
}
