/** The sections of a list among its lines, and the index bar that jumps to them. */
import { h, button } from '../base/dom.js';
import { t } from '../base/i18n.js';

export class Sections {
    /**
     * @param {{name: string, indexTitle: ?string, value?: any, offset: number, count: number}[]} list in order of their
     *     offsets
     */
    constructor(list) {
        // A Boolean is written as the language writes it.
        this.list = list.map((s) => (typeof s.value === 'boolean' ? { ...s, name: t(s.value ? 'value.yes' : 'value.no'),
            indexTitle: t(s.value ? 'value.yes' : 'value.no').slice(0, 1) } : s));
    }

    get count() { return this.list.length; }

    /** The line of a section's header. */
    lineOf(index) { return this.list[index].offset + index; }

    /** What is at a line: a section's header, or the number of a row. */
    at(line) {
        let [low, high] = [0, this.list.length - 1];
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.lineOf(middle) <= line) low = middle;
            else high = middle - 1;
        }
        return this.lineOf(low) === line ? { section: this.list[low] } : { row: line - low - 1 };
    }

    /** The line of a row. */
    lineOfRow(row) {
        let at = 0;
        while (at < this.list.length - 1 && this.list[at + 1].offset <= row) at++;
        return row + at + 1;
    }

    /** The bar of index titles; `jump` gets a line. */
    bar(jump) {
        const seen = new Set();
        const titles = this.list.map((s, i) => [s.indexTitle ?? s.name.slice(0, 1), i])
            .filter(([title]) => title && !seen.has(title) && seen.add(title));
        return h('nav.indexbar', { 'aria-label': t('sections.index') }, titles.slice(0, 60).map(([title, i]) =>
            button(title, () => jump(this.lineOf(i)),
                { 'aria-label': t('sections.jump', { name: this.list[i].name }) })));
    }
}
