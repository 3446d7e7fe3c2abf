/** What this tab has staged in a store. */
import { api } from './api.js';
import { serverProblem, serverText } from './serverTexts.js';

/**
 * @typedef {{object: string, entity: string, label: string, kind: 'inserted'|'updated'|'deleted',
 *     properties: {key: string, old: any, new: any}[]}} Change
 */

const nothing = { version: 0, changes: [], canUndo: false, canRedo: false, undoName: null, redoName: null, problems: [],
    count: 0, found: null };
const kinds = ['inserted', 'updated', 'deleted'];
const names = new Intl.Collator('en', { numeric: true });
/** The server's order. @param {Change} one @param {Change} other */
const inOrder = (one, other) =>
    kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || names.compare(one.object, other.object);
/**
 * Whether a version comes before another of the same start of the server: the part above the lowest 32 bits is random
 * for each start.
 */
const precedes = (one, other) => one < other && Math.floor(one / 2 ** 32) === Math.floor(other / 2 ** 32);
/** @type {Map<string, Edits>} */
const all = new Map();

export class Edits extends EventTarget {
    constructor(store) {
        super();
        this.store = `/stores/${store}`;
        this.path = `${this.store}/edits`;
        this.state = nothing;
        /** How often another state was shown. */
        this.shown = 0;
        /** Whether this page has saved something. */
        this.hasSaved = false;
        /** @type {Map<string, Change>} */
        this.byObject = new Map();
        /** The steps that are on their way to the server. @type {Set<Promise<any>>} */
        this.underWay = new Set();
    }

    /** Takes over all that is staged, or what differs from the version that is here. */
    take(reply) {
        const { version } = this.state;
        // A later answer came first.
        if (precedes(reply.version, version)) return reply;
        if (reply.since === undefined) this.show(reply);
        else if (reply.since === version) this.show(this.merged(reply));
        else return this.load().then(() => reply);
        return reply;
    }

    /** What is here with what differs. */
    merged({ since, changes, unstaged, ...others }) {
        const byObject = new Map(this.byObject);
        for (const name of unstaged) byObject.delete(name);
        for (const change of changes) byObject.set(change.object, change);
        return { ...this.state, ...others, changes: [...byObject.values()].sort(inOrder) };
    }

    /** Shows the views what is staged. */
    show(state) {
        this.state = { ...nothing, ...state };
        const { problems, undoName, redoName } = this.state;
        this.state.problems = problems.map(serverProblem);
        Object.assign(this.state,
            { undoName: undoName && serverText(undoName), redoName: redoName && serverText(redoName) });
        this.state.count = state.count ?? this.state.changes.length;
        this.byObject = new Map(this.state.changes.map((c) => [c.object, c]));
        this.shown += 1;
        this.dispatchEvent(new Event('change'));
    }

    /** A path whose answer need only have what differs. */
    since(path) { return this.state.version ? `${path}?since=${this.state.version}` : path; }

    get count() { return this.state.count; }

    /** The staged value of a property as `{value}`; null where it is as stored. */
    staged(object, key) {
        const found = this.byObject.get(object)?.properties?.find((p) => p.key === key);
        return found ? { value: found.new, old: found.old } : null;
    }

    kind(object) { return this.byObject.get(object)?.kind ?? null; }
    problems(object, key) {
        return this.state.problems.filter((p) => p.object === object && (key === undefined || p.key === key));
    }

    /** Asks for all that is staged. */
    async load() {
        const { shown } = this;
        const reply = await api.get(this.path);
        // A step may have overtaken it.
        if (shown === this.shown || !precedes(reply.version, this.state.version)) this.show(reply);
        return reply;
    }

    /** Stages steps as one step of undo. */
    stage(name, steps) {
        const staged = api.post(this.since(this.path), { name, steps }).then((reply) => this.take(reply));
        const end = () => this.underWay.delete(staged);
        this.underWay.add(staged);
        staged.then(end, end);
        return staged;
    }

    /** Ends when no step is on its way to the server any more, whatever became of it. */
    async settled() { while (this.underWay.size) await Promise.allSettled(this.underWay); }

    async undo() { return this.take(await api.post(this.since(`${this.path}/undo`))); }
    async redo() { return this.take(await api.post(this.since(`${this.path}/redo`))); }
    /** Stages what was staged in another file of the same identifier, or forgets it. */
    async settle(take) { return this.take(await api.post(this.since(`${this.path}/found`), { take })); }
    /** Stages the inverse of a committed save. */
    async revert(transaction) {
        return this.take(await api.post(this.since(`${this.store}/revert`), { transaction }));
    }
    async discard() { return this.take(await api.post(this.since(`${this.path}/discard`))); }

    /** Saves all that is staged; the answer names inserted objects as they are saved. */
    async save(resolutions) {
        const reply = await api.post(`${this.path}/save`, resolutions ? { resolutions } : {});
        this.hasSaved = true;
        // It is saved, whatever keeps the page from seeing it at once.
        await this.load().catch(() => this.show(nothing));
        this.dispatchEvent(new CustomEvent('saved', { detail: reply.saved }));
        return reply;
    }

    review() { return api.get(`${this.path}/review`); }
    /** What the model's rules have against a value. */
    async check(object, key, value, signal) {
        const reply = await api.post(`${this.path}/check`, { object, key, value }, signal);
        return { ...reply, problems: reply.problems?.map(serverProblem) };
    }
}

/** The edits of a store. @returns {Edits} */
export function editsOf(store) {
    if (!all.has(store)) all.set(store, new Edits(store));
    return all.get(store);
}
