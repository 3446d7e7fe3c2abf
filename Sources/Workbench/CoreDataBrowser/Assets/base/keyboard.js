/** Keys that work in all views. */
import { focusedElement, find } from './dom.js';
import { editsOf } from './edits.js';

/** The keys, as the help shows them: name of the text, and what is pressed. */
export const keys = [
    ['keys.palette', 'Ctrl-K'], ['keys.search', '/'], ['keys.help', '?'], ['keys.save', 'Ctrl-S'],
    ['keys.undo', 'Ctrl-Z'], ['keys.redo', 'Ctrl-Shift-Z'],
    ['keys.move', '← ↑ ↓ →'], ['keys.edit', 'Enter · F2'], ['keys.next', 'Tab'], ['keys.toggle', '␣'],
    ['keys.extend', 'Shift-↑ · Shift-↓'],
    ['keys.copy', 'Ctrl-C'], ['keys.paste', 'Ctrl-V'], ['keys.delete', 'Delete'], ['keys.order', 'Alt-↑ · Alt-↓'],
    ['keys.ends', 'Ctrl-Home · Ctrl-End'],
    ['keys.run', 'Ctrl-Enter'], ['keys.complete', 'Ctrl-␣'],
];

/**
 * What undo, redo and save do in a view that keeps steps of its own.
 * @type {null | {undo: () => void, redo: () => void, save: () => void}}
 */
let ownSteps = null;

/** Has the keys work on a view's own steps until it is left. */
export function keysFor(steps, signal) {
    ownSteps = steps;
    signal.addEventListener('abort', () => { if (ownSteps === steps) ownSteps = null; });
}

const isField = (element) => element instanceof HTMLElement
    && element.matches('input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]');

/** Begins to listen. @param {import('./types.js').Doers} doers */
export function bindGlobalKeys(doers) {
    addEventListener('keydown', (event) => {
        const control = event.ctrlKey || event.metaKey;
        const key = event.key.toLowerCase();
        if (control && key === 'k') {
            event.preventDefault();
            return doers.openPalette();
        }
        if (document.querySelector('dialog[open]')) return undefined;
        if (control && (key === 's' || key === 'z' || key === 'y') && !event.altKey) return edit(event, key, doers);
        if (control || event.altKey || isField(event.target)) return undefined;
        if (event.key === '/') {
            const field = find(document, 'main input[type="search"]');
            if (!field) return undefined;
            event.preventDefault();
            return field.focus();
        }
        if (event.key === '?') doers.openHelp();
        return undefined;
    });
}

/** Undo inside a field that is being typed in is the field's own. */
function edit(event, key, { editedStore, shownStore, act, save, explainUndo }) {
    if (key !== 's' && isField(event.target) && event.target.dataset.typed === 'yes') return undefined;
    if (ownSteps) {
        event.preventDefault();
        if (key === 's') return ownSteps.save();
        return key === 'z' && !event.shiftKey ? ownSteps.undo() : ownSteps.redo();
    }
    if (key === 's') {
        event.preventDefault();
        return saveAll({ editedStore, shownStore, save });
    }
    const store = editedStore();
    const isUndo = key === 'z' && !event.shiftKey;
    if (isUndo && shownStore()?.writing && !editsOf(shownStore().id).state.canUndo
        && editsOf(shownStore().id).hasSaved) {
            event.preventDefault();
            return explainUndo(shownStore());
        }
    if (!store) return undefined;
    event.preventDefault();
    const edits = editsOf(store.id);
    if (isUndo) {
        if (edits.state.canUndo) act(() => edits.undo());
    } else if (edits.state.canRedo) act(() => edits.redo());
    return undefined;
}

/** Saves what is staged. A field that is being typed in is left, and what that stages is waited for. */
async function saveAll({ editedStore, shownStore, save }) {
    const field = focusedElement();
    if (isField(field)) field.blur();
    const shown = shownStore();
    if (shown) await editsOf(shown.id).settled();
    // The bar shows a store's edits as soon as there are any.
    const store = editedStore();
    if (store && editsOf(store.id).count) await save(store);
}
