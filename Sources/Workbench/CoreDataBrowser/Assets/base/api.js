/** Asks the server: JSON of views at their own addresses, with the tab's secret in the header. */

import { serverProblem, serverText, serverTextLanguage } from './serverTexts.js';

/** The path under which the browser is mounted, found from where this module came from. */
export const root = new URL(import.meta.url).pathname.replace(/\/assets\/base\/api\.js$/, '');

/** An answer that is not a success, in the language of the page. */
export class ApiError extends Error {
    /** @param {number} status @param {any} body */
    constructor(status, body) {
        const reply = body?.error ?? {};
        super(serverText(reply.reason ?? `HTTP ${status}`));
        /** The language of the message where it is not that of the page. */
        this.lang = serverTextLanguage(reply.reason ?? '');
        this.status = status;
        this.body = body;
        this.code = reply.code ?? '';
        this.hint = serverText(reply.hint ?? '');
        this.hintLang = serverTextLanguage(reply.hint ?? '');
        this.object = reply.object;
        /** The errors that this one was made of, each with domain, code and cure. */
        this.errors = reply.errors?.map(serverProblem);
        this.key = reply.key;
        /** The store whose file was deleted, replaced or damaged. */
        this.store = reply.store;
        this.path = reply.path;
        this.reopens = reply.reopens;
        if (this.store) dispatchEvent(new CustomEvent('file', { detail: this }));
    }
}

const jsonParts = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What JSON says; whole numbers beyond JavaScript's become texts. */
export function exactJSON(text) {
    if (!/\d{16}/.test(text)) return JSON.parse(text);
    return JSON.parse(text.replace(jsonParts,
        (part) => (/^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part)));
}

/** JSON has no infinite numbers: they would be written as null, which stands for nil. */
function finite(name, value) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new ApiError(0, { error: { code: 'notFinite', reason: `${name}: ${value}` } });
    }
    return value;
}

export const api = {
    /** @type {{tab: string, secret: string} | null} */
    session: null,

    /** The locale of what the server writes for people; the browser's own while it is empty. */
    locale: '',

    /** The header fields of every request. */
    headers(more = {}) {
        const fields = { Accept: 'application/json', ...more };
        if (this.locale) fields['Accept-Language'] = this.locale;
        if (this.session) Object.assign(fields, { 'X-Tab': this.session.tab, 'X-Tab-Secret': this.session.secret });
        return fields;
    },

    /** @param {string} method @param {string} path @param {any} [body] @param {AbortSignal} [signal] */
    async send(method, path, body, signal) {
        /** @type {RequestInit} */
        const init = { method, headers: this.headers(), signal, credentials: 'same-origin' };
        if (body !== undefined) {
            init.headers['Content-Type'] = 'application/json';
            init.body = JSON.stringify(body, finite);
        }
        let response;
        try {
            response = await fetch(root + path, init);
        } catch (error) {
            if (error.name === 'AbortError') throw error;
            throw new ApiError(0, { error: { code: 'unreachable', reason: unreachable.text } });
        }
        const text = await response.text();
        let json = null;
        try {
            json = text ? exactJSON(text) : null;
        } catch {
            if (response.ok) throw new ApiError(response.status, { error: { reason: text.slice(0, 300) } });
        }
        if (!response.ok) throw new ApiError(response.status, json);
        return json;
    },

    get(path, signal) { return this.send('GET', path, undefined, signal); },
    post(path, body = {}, signal) { return this.send('POST', path, body, signal); },
    put(path, body) { return this.send('PUT', path, body); },

    /** What an address answers as a file, which the person's browser may keep on disk. */
    async blob(path) {
        const response = await fetch(root + path, { headers: this.headers({ Accept: '*/*' }) });
        if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
        return response.blob();
    },

    /** Bytes of a value; `limit` asks only for that many. */
    bytes(path, limit) { return limit ? this.range(path, 0, limit) : this.range(path); },

    /** Bytes of a value from one place to before another, or all of them. */
    async range(path, from = 0, to = 0) {
        const response = await fetch(root + path, {
            headers: this.headers({ Accept: '*/*', ...(to ? { Range: `bytes=${from}-${to - 1}` } : {}) }),
        });
        if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
        return { bytes: new Uint8Array(await response.arrayBuffer()),
            type: response.headers.get('Content-Type') ?? '' };
    },
};

/** What is said where the server cannot be reached. */
export const unreachable = { text: 'The server cannot be reached.' };

/** A path of steps and a query, each part encoded; empty parts of the query are left out. */
export function address(steps, query = {}) {
    const path = '/'
        + steps.filter((s) => s !== '').flatMap((s) => String(s).split('/')).map(encodeURIComponent).join('/');
    const entries = Object.entries(query).filter(([, v]) => v !== undefined && v !== null && v !== '' && v !== false);
    const text = new URLSearchParams(entries.map(([k, v]) => [k, String(v)])).toString();
    return text ? `${path}?${text}` : path;
}
