/** Keys that work in all views. */
import { editsOf } from './edits.js';

/** The keys, as the help shows them: name of the text, and what is pressed. */
export const keys = [
    ['keys.palette', 'Ctrl-K'], ['keys.search', '/'], ['keys.help', '?'], ['keys.save', 'Ctrl-S'], ['keys.undo', 'Ctrl-Z'], ['keys.redo', 'Ctrl-Shift-Z'],
    ['keys.move', '← ↑ ↓ →'], ['keys.edit', 'Enter · F2'], ['keys.next', 'Tab'], ['keys.toggle', '␣'], ['keys.extend', 'Shift-↑ · Shift-↓'],
    ['keys.copy', 'Ctrl-C'], ['keys.paste', 'Ctrl-V'], ['keys.delete', 'Delete'], ['keys.order', 'Alt-↑ · Alt-↓'], ['keys.ends', 'Ctrl-Home · Ctrl-End'],
    ['keys.run', 'Ctrl-Enter'], ['keys.complete', 'Ctrl-␣'],
];

/** What undo, redo and save do in a view that keeps steps of its own. @type {null | {undo: () => void, redo: () => void, save: () => void}} */
let ownSteps = null;

/** Has the keys work on a view's own steps until it is left. */
export function keysFor(steps, signal) {
    ownSteps = steps;
    signal.addEventListener('abort', () => { if (ownSteps === steps) ownSteps = null; });
}

const isField = (element) => element instanceof HTMLElement && element.matches('input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]');

/** Begins to listen. */
export function bindGlobalKeys() {
    addEventListener('keydown', async (event) => {
        const control = event.ctrlKey || event.metaKey;
        const key = event.key.toLowerCase();
        if (control && key === 'k') {
            event.preventDefault();
            return (await import('../components/palette.js')).openPalette();
        }
        if (document.querySelector('dialog[open]')) return undefined;
        if (control && (key === 's' || key === 'z' || key === 'y') && !event.altKey) return edit(event, key);
        if (control || event.altKey || isField(event.target)) return undefined;
        if (event.key === '/') {
            const field = document.querySelector('main input[type="search"]');
            if (!field) return undefined;
            event.preventDefault();
            return field.focus();
        }
        if (event.key === '?') (await import('../components/help.js')).openHelp();
        return undefined;
    });
}

/** Undo inside a field that is being typed in is the field's own. */
async function edit(event, key) {
    if (key !== 's' && isField(event.target) && event.target.dataset.typed === 'yes') return undefined;
    if (ownSteps) {
        event.preventDefault();
        if (key === 's') return ownSteps.save();
        return key === 'z' && !event.shiftKey ? ownSteps.undo() : ownSteps.redo();
    }
    const { editedStore, shownStore, act, save } = await import('../components/editBar.js');
    const store = editedStore();
    if (key === 's') event.preventDefault();
    const isUndo = key === 'z' && !event.shiftKey;
    if (isUndo && shownStore()?.writing && !editsOf(shownStore().id).state.canUndo && editsOf(shownStore().id).hasSaved) {
        event.preventDefault();
        return (await import('../components/savedUndo.js')).tellUndo(shownStore());
    }
    if (!store) return undefined;
    event.preventDefault();
    const edits = editsOf(store.id);
    if (key === 's') {
        if (isField(document.activeElement)) document.activeElement.blur();
        await edits.settled?.();
        if (edits.count) save(store);
    } else if (key === 'z' && !event.shiftKey) {
        if (edits.state.canUndo) act(() => edits.undo());
    } else if (edits.state.canRedo) act(() => edits.redo());
    return undefined;
}
