/** A model while its page is shown: what a version has, its steps, and what a check finds of it. */
import { api, address } from './api.js';
import { debounce } from './dom.js';

/** @typedef {{item: string, kind: string, name: string, values: Record<string, string>, parts: Item[]}} Item */

/** A word as it stands in an edit. */
export const word = (text) => (text === '' || /[\s"'\\]/.test(text) ? `"${text.replace(/[\\"]/g, '\\$&')}"` : text);

/** The text of an edit of words; what is `NAME=VALUE` is one word. */
export const edit = (...words) => words.map((w) => word(String(w))).join(' ');

/** The text of an edit that sets options; no value takes one away. */
export const setting = (item, options) => edit('set', item,
    ...Object.entries(options).map(([name, value]) => `${name}=${value ?? ''}`));

/** What an item stands in: the part of its name before its own. */
export function ownerOf(item) {
    const info = item.lastIndexOf('/user-info/');
    if (info >= 0) return item.slice(0, info);
    const list = /^([^/]+)\/(indexes|constraints)\//.exec(item);
    if (list) return list[1];
    const member = /^(configurations\/[^/]+)\//.exec(item);
    if (member) return member[1];
    if (item.startsWith('requests/') || item.startsWith('configurations/')) return '.';
    const point = item.indexOf('.');
    return point > 0 ? item.slice(0, point) : '.';
}

export class ModelSession extends EventTarget {
    /** @param {string} id @param {string} version */
    constructor(id, version) {
        super();
        this.id = id;
        this.reply = null;
        this.asked = version;
        /** The items that stand in the model itself, by name. @type {Map<string, Item>} */
        this.items = new Map();
        /** The names of the items of each kind in order, until one comes or goes. @type {Map<string, string[]>} */
        this.order = new Map();
        this.findings = [];
        this.checkLater = debounce(150, () => this.check());
        this.after = Promise.resolve();
    }

    get version() { return this.reply.version; }
    get editable() { return this.reply.editable; }

    /** The items of a kind that stand in the model itself, in the order of their names. */
    of(kind) {
        if (!this.order.has(kind)) {
            const { compare } = new Intl.Collator();
            this.order.set(kind, [...this.items.values()].filter((i) => i.kind === kind)
                .sort((a, b) => compare(a.name, b.name)).map((i) => i.item));
        }
        return this.order.get(kind).map((name) => this.items.get(name));
    }

    /** An item wherever it stands; null for one that is not there. @returns {Item | null} */
    find(name) {
        if (name === '.') return { item: '.', kind: 'model', name: '', values: this.reply.values, parts: [] };
        const owner = ownerOf(name);
        if (owner === '.') return this.items.get(name) ?? null;
        return this.find(owner)?.parts.find((p) => p.item === name) ?? null;
    }

    /** The properties that an entity declares and inherits. */
    properties(entity, seen = new Set()) {
        const found = this.items.get(entity);
        if (!found || seen.has(entity)) return [];
        seen.add(entity);
        const own = found.parts.filter((p) => ['attribute', 'relationship', 'fetched-property'].includes(p.kind));
        return [...own, ...(found.values.parent ? this.properties(found.values.parent, seen) : [])];
    }

    path(page = '', more = {}) {
        return address(['models', this.id, page], { version: this.reply?.version ?? this.asked, ...more });
    }

    async load(signal) {
        this.take(await api.get(this.path(), signal));
        return this;
    }

    /** Asks what is different by now, as another tab or another program may have it. */
    async refresh() {
        const reply = await api.get(this.path('', { since: this.reply.revision }));
        const isNews = reply.revision !== this.reply.revision || reply.unsaved !== this.reply.unsaved
            || reply.changedOutside !== this.reply.changedOutside
            || JSON.stringify(reply.versions) !== JSON.stringify(this.reply.versions);
        if (isNews) this.take(reply);
    }

    take(reply) {
        this.reply = reply;
        if (reply.whole || reply.removed.length || reply.items.some((i) => !this.items.has(i.item))) this.order.clear();
        if (reply.whole) this.items.clear();
        for (const item of reply.removed) this.items.delete(item);
        for (const item of reply.items) this.items.set(item.item, item);
        this.checkLater();
        this.dispatchEvent(new Event('changed'));
    }

    async check() {
        try {
            const reply = await api.get(this.path('findings'));
            this.findings = reply.findings;
            this.dispatchEvent(new Event('findings'));
        } catch {
            // What cannot be checked now is checked after the next step.
        }
    }

    /** Sends a step; steps of one tab follow each other. Gives the reply. */
    post(page, body = {}) {
        const sent = this.after.then(async () => {
            const reply = await api.post(address(['models', this.id, page]),
                { version: this.version, revision: this.reply.revision, ...body });
            this.take(reply);
            return reply;
        });
        this.after = sent.catch(() => {});
        return sent;
    }

    /** Applies edits as one step. @param {string[]} edits @param {string} [name] */
    perform(edits, name) { return this.post('edits', name ? { edits, name } : { edits }); }
    undo() { return this.post('undo'); }
    redo() { return this.post('redo'); }
    save() { return this.post('save'); }
    discard() { return this.post('discard'); }
    merge() { return this.post('merge'); }

    /** Has another version shown. */
    async show(version) {
        this.asked = version;
        this.reply = null;
        this.take(await api.get(this.path()));
    }
}
