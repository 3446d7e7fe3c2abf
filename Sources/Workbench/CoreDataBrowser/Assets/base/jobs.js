/** The jobs of a store: asked once, then followed by the store's stream. */
import { api, address, ApiError } from './api.js';
import { onLive } from './live.js';

/**
 * @typedef {{id: string, kind: string, subject: string, state: string, completed: number, total: ?number, unit: string,
 *     fraction: ?number, message: ?string, rate: ?number, remaining: ?number, elapsed: number, reason: ?string,
 *     cancelled: boolean, pausable: boolean, result?: any, error?: any, file?: ?string}} Job
 * @typedef {{id: string, kind: string, subject: string, created: string, completed: number, total: ?number}} Unfinished
 */

/** How long the row of a job that has ended stays, and how long its end is waited for without an event. */
const lingering = 5000, patience = 2000;

/** @type {Map<string, Jobs>} */
const all = new Map();

/** Whether nothing of a job changes any more. @param {Job} job */
export const isEnded = (job) => ['finished', 'cancelled', 'failed'].includes(job.state);

class Jobs extends EventTarget {
    /** @param {string} store */
    constructor(store) {
        super();
        this.store = store;
        /** @type {Job[]} */
        this.list = [];
        /** The jobs that this page has started, whose end their views show. @type {Set<string>} */
        this.own = new Set();
        /** What an ended process of the server has left. @type {Unfinished[]} */
        this.unfinished = [];
        onLive((event) => {
            if (event.store !== store) return;
            if (event.kind === 'job') {
                if (event.left) this.remove(event.left);
                else this.take(event.job);
            } else if (event.many) this.load().catch(() => {});
        });
    }

    path(...more) { return address(['stores', this.store, 'jobs', ...more]); }

    /** How many have not ended. */
    get active() { return this.list.filter((job) => !isEnded(job)).length; }

    async load(signal) {
        const reply = await api.get(this.path(), signal);
        this.list = [];
        this.unfinished = reply.unfinished;
        for (const job of reply.jobs) this.take(job);
        this.changed();
    }

    changed() { this.dispatchEvent(new Event('change')); }

    /** Takes over what is known of a job; the row of one that has ended leaves after some seconds. @param {Job} job */
    take(job) {
        const place = this.list.findIndex((known) => known.id === job.id);
        const before = this.list[place];
        if (before && isEnded(before) && !isEnded(job)) return;
        if (place >= 0) this.list[place] = job;
        else this.list.push(job);
        if (isEnded(job) && job.state !== 'failed' && !(before && isEnded(before))) {
            setTimeout(() => this.remove(job.id), lingering);
        }
        this.changed();
    }

    remove(id) {
        this.list = this.list.filter((job) => job.id !== id);
        this.changed();
    }

    /**
     * Cancels, pauses or resumes a job, or takes the row of an ended one away.
     * @param {string} id @param {string} action
     */
    async act(id, action) {
        const job = await api.post(this.path(id, action));
        if (action === 'dismiss') this.remove(id);
        else this.take(job);
    }

    /** Begins an unfinished job again, or forgets it. @param {string} id @param {boolean} again */
    async settle(id, again) {
        const job = await api.post(this.path(id, again ? 'restart' : 'forget'));
        this.unfinished = this.unfinished.filter((one) => one.id !== id);
        if (again) this.take(job);
        else this.changed();
        return job;
    }

    /** Starts a job by a call that answers with it. @param {string} path @param {any} body @returns {Promise<Job>} */
    async start(path, body, signal) {
        const job = await api.post(path, body, signal);
        this.own.add(job.id);
        this.take(job);
        return job;
    }

    /**
     * Waits until a job has ended; gives its result, or null for one that was cancelled.
     * @param {string} id @param {AbortSignal} signal
     */
    async result(id, signal) {
        for (;;) {
            const job = await api.get(this.path(id), signal);
            this.take(job);
            if (job.state === 'finished') return job.result;
            if (job.state === 'cancelled') return null;
            if (job.state === 'failed') throw new ApiError(0, { error: job.error });
            await this.change(id, signal);
        }
    }

    /** Ends when a job has ended, or after a while without an event of it. */
    change(id, signal) {
        return new Promise((done, fail) => {
            let timer = 0;
            const end = (how) => {
                clearTimeout(timer);
                this.removeEventListener('change', look);
                signal.removeEventListener('abort', abort);
                how();
            };
            const wait = () => { clearTimeout(timer); timer = setTimeout(() => end(done), patience); };
            const look = () => {
                const job = this.list.find((one) => one.id === id);
                if (!job || isEnded(job)) end(done);
                else wait();
            };
            const abort = () => end(() => fail(signal.reason));
            this.addEventListener('change', look);
            signal.addEventListener('abort', abort);
            wait();
        });
    }
}

/** The jobs of a store. @param {string} store */
export function jobsOf(store) {
    if (!all.has(store)) all.set(store, new Jobs(store));
    return all.get(store);
}
