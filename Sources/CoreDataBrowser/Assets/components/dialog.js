/** Dialogs: one at a time, closed by Escape, the focus back where it was. */
import { h, button, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';

let before = Promise.resolve();

/**
 * Opens a dialog; a second one waits until the first is closed unless it is opened from within it.
 * @param {{title: string, body: any, actions?: {text: string, class?: string, do: (close: (result?: any) => void) => any}[], wide?: boolean, label?: string}} what
 * @returns {Promise<any>} what the dialog was closed with; null where it was given up
 */
export async function openDialog({ title, body, actions = [], wide = false }) {
    if (!document.querySelector('dialog[open]')) await before;
    const focused = document.activeElement;
    const name = uid('title');
    let result = null;
    const close = (value = null) => { result = value; dialog.close(); };
    const dialog = h('dialog', { 'aria-labelledby': name, class: wide ? 'wide' : '' },
        h('header', {}, h('h2', { id: name }, h('bdi', {}, title)), button('✕', () => close(), { class: 'plain', 'aria-label': t('action.close') })),
        h('div.dialogbody', { tabindex: '-1' }, typeof body === 'function' ? body(close) : body),
        actions.length > 0 && h('footer', {}, actions.map((action) => button(action.text, () => action.do(close), { class: action.class ?? '' }))));
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector('.dialogbody [autofocus], .dialogbody input, .dialogbody select, .dialogbody textarea, footer button');
    first?.focus();
    const ended = new Promise((done) => dialog.addEventListener('close', () => {
        dialog.remove();
        if (focused?.isConnected) focused.focus({ preventScroll: true });
        done(result);
    }));
    before = ended;
    return ended;
}

/** Asks whether to go on; true where the action was chosen. */
export async function ask({ title, text, action, danger = false }) {
    return Boolean(await openDialog({
        title, body: h('p', {}, text),
        actions: [{ text: t('action.cancel'), do: (close) => close() }, { text: action, class: danger ? 'primary danger' : 'primary', do: (close) => close(true) }],
    }));
}
