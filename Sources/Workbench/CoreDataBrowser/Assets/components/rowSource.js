/** The rows of a list, asked in windows and kept as long as they are near what is shown. */
import { api, address } from '../base/api.js';

const size = 100;
const kept = 60;

/**
 * @typedef {{id: string, entity: string, label: string, values: Record<string, any>, links: Record<string, any>,
 *     counts: Record<string, number>, cut: string[], unreadable: Record<string, string>}} Row
 */

export class RowSource extends EventTarget {
    /** @param {string} path of the list @param {Record<string, any>} query without offset */
    constructor(path, query) {
        super();
        this.path = path;
        this.query = query;
        /** @type {Map<number, Row[] | null>} windows by number; null while asked */
        this.windows = new Map();
        this.total = null;
        this.seen = 0;
        this.order = null;
        this.columns = [];
        this.notes = [];
        this.leaving = new AbortController();
    }

    /** Requests the first window, whose reply has the columns too; then the total where it is not part of that. */
    async begin() {
        const first = await this.ask(0);
        this.columns = first.columns ?? [];
        this.notes = first.notes ?? [];
        if (this.total === null) this.count();
        return first;
    }

    async count() {
        try {
            const { where, search, sort, section } = this.query;
            const reply = await api.get(
                address([this.path.slice(1), 'total'], { where, search, sort, section, order: this.order }),
                this.leaving.signal);
            this.total = reply.total;
            this.order = reply.order ?? this.order;
            this.dispatchEvent(new Event('change'));
        } catch (error) {
            if (error.name !== 'AbortError') this.dispatchEvent(new CustomEvent('failed', { detail: error }));
        }
    }

    /** How many rows there are to show, as far as is known. */
    get length() { return this.total ?? this.seen; }

    /** The row of a number, or null while it is being asked. */
    row(index) {
        const number = Math.floor(index / size);
        const window = this.windows.get(number);
        if (window === undefined) this.ask(number).catch((error) => error.name !== 'AbortError'
            && this.dispatchEvent(new CustomEvent('failed', { detail: error })));
        else if (window) {
            this.windows.delete(number);
            this.windows.set(number, window);
        }
        return window?.[index - number * size] ?? null;
    }

    async ask(number) {
        this.windows.set(number, null);
        try {
            const reply = await api.get(
                address([this.path.slice(1)], { ...this.query, offset: number * size, limit: size, order: this.order }),
                this.leaving.signal);
            this.windows.set(number, reply.rows);
            this.order = reply.order ?? this.order;
            if (typeof reply.total === 'number') this.total = reply.total;
            this.seen = Math.max(this.seen,
                reply.offset + reply.rows.length + (this.total === null && reply.rows.length === size ? 1 : 0));
            for (const old of [...this.windows.keys()].slice(0, Math.max(0, this.windows.size - kept))) {
                this.windows.delete(old);
            }
            this.dispatchEvent(new Event('change'));
            return reply;
        } catch (error) {
            this.windows.delete(number);
            throw error;
        }
    }

    /** Asks again for the windows that show some objects; for all where the number of rows may have changed. */
    refresh(ids = null) {
        const shows = ([, rows]) => ids === null || rows?.some((row) => ids.has(row.id));
        const stale = [...this.windows.entries()].filter(shows).map(([number]) => number);
        if (ids === null) {
            this.order = null;
            this.count();
        }
        return Promise.all(stale.slice(-4).map((number) => this.askAgain(number)))
            .then(() => { if (ids === null) for (const number of stale.slice(0, -4)) this.windows.delete(number); },
                () => {});
    }

    async askAgain(number) {
        const reply = await api.get(
            address([this.path.slice(1)], { ...this.query, offset: number * size, limit: size, order: this.order }),
            this.leaving.signal);
        this.windows.set(number, reply.rows);
        if (typeof reply.total === 'number') this.total = reply.total;
        this.dispatchEvent(new Event('change'));
    }

    /** The place of an object among the rows that are here; -1 where it is not. */
    indexOf(id) {
        for (const [number, rows] of this.windows) {
            const at = rows?.findIndex((row) => row.id === id) ?? -1;
            if (at >= 0) return number * size + at;
        }
        return -1;
    }

    /** Rows that are here, in order. */
    *loaded() {
        for (const [number, rows] of [...this.windows.entries()].sort((a, b) => a[0] - b[0])) {
            for (const [i, row] of (rows ?? []).entries()) yield [number * size + i, row];
        }
    }

    stop() { this.leaving.abort(); }
}
