/** The bar of what is staged: how much, undo and redo, review, save and discard. */
import { h, fill, find, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { editsOf } from '../base/edits.js';
import { serverText } from '../base/serverTexts.js';
import { shell } from './shell.js';

let bound = null;
let shown = null;

/** Shows the bar of a store's edits. */
export function showEditBar(bar, store) {
    shown = store;
    if (bound === store.id) return draw(bar, store);
    bound = store.id;
    const edits = editsOf(store.id);
    edits.addEventListener('change', () => shown === store && draw(bar, store));
    store.addEventListener('writing', () => shown === store && draw(bar, store));
    // A store that is only read refuses to be asked.
    if (store.writing) edits.load().then((state) => showLost(state), () => {});
    store.addEventListener('writing', () => store.writing && edits.load().then((state) => showLost(state), () => {}));
    return draw(bar, store);
}

/** Shows which steps a restart has lost. */
function showLost(state) {
    for (const lost of (state.lost ?? []).slice(0, 3)) {
        shell.notify([lost.reason, lost.hint].filter(Boolean).map(serverText).join(' '), 'error');
    }
}

function draw(bar, store) {
    const edits = editsOf(store.id);
    const { count, canUndo, canRedo, undoName, redoName, problems, found } = edits.state;
    bar.hidden = !(count > 0 || canUndo || canRedo || found);
    const foundText = !found?.path ? 'edits.found' : found.path === store.summary.path ? 'edits.foundHere'
        : 'edits.foundIn';
    fill(bar,
        found && h('p.found', { role: 'alert' }, t(foundText, { count: found.steps }), ' ',
            foundText === 'edits.foundIn' && stored(found.path), ' ',
            button(t('edits.takeFound'), () => act(() => edits.settle(true)), { disabled: count > 0 }), ' ',
            button(t('edits.dropFound'), () => act(() => edits.settle(false)))),
        h('span.staged', { role: 'status' },
            count === 0 && (canUndo || canRedo) ? t('edits.none') : t('edits.count', { count }),
            problems.length > 0 && h('span.problem', {}, ' ', t('edits.problems', { count: problems.length }))),
        h('span.grow'),
        button('↶', () => act(() => edits.undo()), { 'aria-label': t('edits.undo', { name: undoName ?? '' }),
            title: `${t('edits.undo', { name: undoName ?? '' })} (Ctrl-Z)`, disabled: !canUndo }),
        button('↷', () => act(() => edits.redo()), { 'aria-label': t('edits.redo', { name: redoName ?? '' }),
            title: `${t('edits.redo', { name: redoName ?? '' })} (Ctrl-Shift-Z)`, disabled: !canRedo }),
        button(t('edits.discard'), () => discard(edits), { disabled: !count }),
        button(t('edits.review'), () => review(store), { disabled: !count }),
        button(t('edits.save'), () => save(store), { class: 'primary', disabled: !count, title: 'Ctrl-S' }));
}

/** Does something with the edits and shows what fails. */
export async function act(work) {
    try {
        return await work();
    } catch (error) {
        shell.fail(error);
        return null;
    }
}

async function discard(edits) {
    const { ask } = await import('./dialog.js');
    const text = t('edits.discardText', { count: edits.count });
    if (await ask({ title: t('edits.discardTitle'), text, action: t('edits.discard'), danger: true })) {
        await act(() => edits.discard());
    }
}

async function review(store) {
    const { openReview } = await import('./review.js');
    if (await openReview(store)) await save(store);
}

/**
 * The note of what kept the last save from being done: it does not stand beside what the next one says.
 * @type {HTMLElement | null | undefined}
 */
let refusal = null;

/** Saves; shows conflicts and problems where there are any. */
export async function save(store, resolutions) {
    const edits = editsOf(store.id);
    refusal?.remove();
    refusal = null;
    try {
        await edits.save(resolutions);
        shell.notify(t('edits.saved'), 'good');
        store.count().catch(() => {});
        return true;
    } catch (error) {
        if (error.status === 409 && error.body?.conflicts) {
            const { openConflicts } = await import('./conflicts.js');
            openConflicts(error.body.conflicts).then((picks) => picks && save(store, picks));
        } else if (error.status === 422 && error.body?.problems) {
            // Only the save knows these: the next answer has all problems.
            edits.show({ ...edits.state, version: 0, problems: error.body.problems });
            review(store);
        } else refusal = error.store ? shell.notify(t('edits.notSaved'), 'error') : shell.fail(error);
        return false;
    }
}

/** The store that is shown, with or without edits. */
export const shownStore = () => shown;

/** The store whose edits the keys of undo, redo and save are for. */
export const editedStore = () => (shown && !find(document, '.editbar')?.hidden ? shown : null);
