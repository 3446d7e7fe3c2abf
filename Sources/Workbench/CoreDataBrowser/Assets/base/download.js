/** Saves answers as files, and loads style sheets that only some views need. */
import { api, root } from './api.js';
import { h } from './dom.js';

/** Asks an address and hands the person its bytes as a file. */
export async function download(path, name) {
    const url = URL.createObjectURL(await api.blob(path));
    const anchor = h('a', { href: url, download: name, hidden: true });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(url), 30000);
}

/** @typedef {HTMLLinkElement & {ready?: Promise<any>}} Sheet a style sheet, and what ends when it applies */

/** Loads a style sheet of Assets/styles unless it is there; waits until it applies. */
export function needStyle(name) {
    const href = `${root}/assets/styles/${name}.css`;
    const known = /** @type {Sheet | null} */ (document.querySelector(`link[href="${href}"]`));
    if (known) return known.ready ?? Promise.resolve();
    const sheet = /** @type {Sheet} */ (h('link', { rel: 'stylesheet', href }));
    // Without its style a view is still of use.
    sheet.ready =
        new Promise((done) => { sheet.addEventListener('load', done); sheet.addEventListener('error', done); });
    document.head.append(sheet);
    return sheet.ready;
}
