/**
 * What is shown where a store's file was deleted, replaced or damaged while it was open: what happened, and what to do.
 */
import { h, fill, findAll, focusedElement, button, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { shell } from './shell.js';

/**
 * @typedef {{store: string, code: ?string, path?: string, reopens?: boolean, reopened?: boolean, message?: string}}
 *     FileProblem
 */

const titles = { fileDeleted: () => t('file.deleted'), fileReplaced: () => t('file.replaced'),
    fileDamaged: () => t('file.damaged') };
const hints = { fileDeleted: () => t('file.deletedHint'), fileReplaced: () => t('file.replacedHint'),
    fileDamaged: () => t('file.damagedHint') };

/** The notices above the view, by store. @type {Map<string, HTMLElement>} */
const notices = new Map();

/** Fills an element with what happened to a file. @param {HTMLElement} element @param {FileProblem} problem */
export function describe(element, problem) {
    const { store, code, path, reopens } = problem;
    Object.assign(element.dataset, { store, code });
    return fill(element, h('h2', {}, titles[code]?.() ?? t('state.failed')),
        h('p', {}, hints[code]?.() ?? h('bdi', {}, problem.message)),
        path && h('p', {}, h('code', {}, stored(path))),
        h('p.dim', {}, t('file.kept')),
        reopens && h('div.actions', {},
            button(t('file.reopen'), (event) => reopen(store, event.currentTarget), { class: 'primary' })));
}

async function reopen(store, press) {
    press.disabled = true;
    try {
        await api.post(`/stores/${store}/reopen`);
        location.reload();
    } catch (error) {
        press.disabled = false;
        shell.notify(error.message, 'error');
    }
}

/**
 * Shows above the view what happened to a store's file. Without a code the file is there: the page is loaded again
 * where it was not, or where it was opened again.
 * @param {FileProblem} problem
 */
export function showFileProblem(problem) {
    const known = notices.get(problem.store);
    if (!problem.code) {
        const shown = findAll(document, '.filenotice, .state.file')
            .filter((one) => one.dataset.store === problem.store);
        return shown.some((one) => problem.reopened || one.dataset.code !== 'fileDamaged') && again();
    }
    if (known?.dataset.code === problem.code) return undefined;
    const element = known ?? h('section.filenotice', { role: 'alert' });
    describe(element, problem);
    notices.set(problem.store, element);
    return shell.notice(element);
}

/** Loads the page again; what is being typed is left first. */
function again() {
    const field = focusedElement();
    if (field?.dataset?.typed !== 'yes') return location.reload();
    return field.addEventListener('blur', () => setTimeout(() => location.reload(), 500), { once: true });
}
