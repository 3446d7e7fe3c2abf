/**
 * What was typed into forms that were left before it was saved, by the form's address: it is there when the form is
 * opened again.
 */
import { root } from './api.js';

/** @typedef {{values: Record<string, {value: any, base: any}>, removed: any[]}} Draft */

const key = `opencoredata:drafts:${root}`;
/** @type {Map<string, Draft>} */
const drafts = new Map(Object.entries(read()));

function read() {
    try {
        return JSON.parse(sessionStorage.getItem(key) ?? '{}');
    } catch {
        return {};
    }
}

function keep() {
    try {
        sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(drafts)));
    } catch {
        // What is too large for the storage, such as a picture, is kept until the page is reloaded.
    }
}

/** Keeps what was typed into a form. @param {string} path @param {Draft} draft */
export function keepDraft(path, draft) {
    drafts.set(path, draft);
    keep();
}

/** What was typed into a form and not saved; null where that is nothing. @returns {Draft | null} */
export const draftOf = (path) => drafts.get(path) ?? null;

/** Forgets what was typed into a form, which was saved or given up. */
export function dropDraft(path) {
    if (drafts.delete(path)) keep();
}
