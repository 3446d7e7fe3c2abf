/** Copies items of a model as the edits that make them, and makes them in another model, or once more. */
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { ownerOf } from '../base/models.js';
import { shell } from './shell.js';

const isTyping = () => document.activeElement?.matches?.('input, textarea, select, [contenteditable]')
    || document.querySelector('dialog[open]') || String(getSelection());

/** Ctrl-C and Ctrl-V outside of fields. */
export function bindCopying(view, signal) {
    addEventListener('copy', (event) => {
        if (isTyping()) return;
        event.preventDefault();
        copySelected(view);
    }, { signal });
    addEventListener('paste', (/** @type {ClipboardEvent} */ event) => {
        if (isTyping() || !view.session.editable) return;
        const text = event.clipboardData?.getData('text/plain');
        if (!text) return;
        event.preventDefault();
        paste(view, text);
    }, { signal });
}

export async function copySelected(view) {
    try {
        const { text } = await api.get(view.session.path('copy',
            { items: [...view.selected].filter((i) => i !== '.').join('\n') }));
        await navigator.clipboard.writeText(text);
        shell.notify(t('model.copied', { count: view.selected.size }));
    } catch (error) {
        shell.fail(error);
    }
}

/** Makes copied items; properties go to the entity or composite that is selected. */
export async function paste(view, text) {
    const place = view.place === '.' ? undefined : view.place;
    const before = new Set(names(view.session));
    if (!await view.act(() => view.session.post('paste', { text, target: place }))) return;
    const made = names(view.session).filter((n) => !before.has(n));
    const first = made.find((n) => !before.has(n) && (ownerOf(n) === '.' || before.has(ownerOf(n))));
    if (first) view.select(first, { focuses: true });
}

const names = (session) => [...session.items.values()].flatMap((i) => [i.item, ...i.parts.map((p) => p.item)]);
