/** Dialogs: one at a time, closed by Escape, the focus back where it was. */
import { h, button, find, focusedElement, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';

let before = Promise.resolve();

/**
 * Opens a dialog; where one is open it waits until that one is closed.
 * @param {{title: string, body: any, actions?: {text: string, class?: string, do: (close: (result?: any) => void) =>
 *     any}[], wide?: boolean, label?: string}} what
 * @returns {Promise<any>} what the dialog was closed with; null where it was given up
 */
export function openDialog(what) {
    const ended = before.then(() => show(what));
    before = ended.catch(() => {});
    return ended;
}

function show({ title, body, actions = [], wide = false }) {
    const focused = focusedElement();
    const name = uid('title');
    let result = null;
    const close = (value = null) => { result = value; dialog.close(); };
    const dialog = h('dialog', { 'aria-labelledby': name, class: wide ? 'wide' : '' },
        h('header', {}, h('h2', { id: name }, h('bdi', {}, title)),
            button('✕', () => close(), { class: 'plain', 'aria-label': t('action.close') })),
        h('div.dialogbody', { tabindex: '-1' }, typeof body === 'function' ? body(close) : body),
        actions.length > 0 && h('footer', {},
            actions.map((action) => button(action.text, () => action.do(close), { class: action.class ?? '' }))));
    document.body.append(dialog);
    dialog.showModal();
    const first = find(dialog, '.dialogbody :is([autofocus], input, select, textarea, button), footer button');
    first?.focus();
    return new Promise((done) => dialog.addEventListener('close', () => {
        dialog.remove();
        if (focused?.isConnected) focused.focus({ preventScroll: true });
        done(result);
    }));
}

/** Asks whether to go on; true where the action was chosen. */
export async function ask({ title, text, action, danger = false }) {
    return Boolean(await openDialog({
        title, body: h('p', {}, text),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: action, class: danger ? 'primary danger' : 'primary', do: (close) => close(true) }],
    }));
}
