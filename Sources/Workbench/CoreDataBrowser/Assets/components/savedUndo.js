/** What Ctrl-Z says when all is saved: how the last save is taken back, or why it cannot be. */
import { h, button } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { link } from '../base/router.js';
import { editsOf } from '../base/edits.js';
import { act } from './editBar.js';
import { shell } from './shell.js';

/** @param {import('../base/store.js').StoreInfo} store */
export async function explainUndo(store) {
    const path = address(['stores', store.id, 'history']);
    const to = h('a', { href: link(path) }, t('history.title'));
    const answer = await api.get(`${path}?limit=1`).catch((error) => error);
    if (answer.code === 'noHistory') return shell.notify(t('edits.undoNoHistory'), 'info', to);
    if (answer instanceof Error) return shell.fail(answer);
    const last = answer.transactions.at(-1);
    if (!last || last.revertible === false) return shell.notify(t('edits.undoNotKept'), 'info', to);
    const revert = async () => {
        if (/^import [\dA-F-]{36}$/.test(last.contextName)) {
            return (await import('./importReversal.js')).askReversal(store, last.contextName);
        }
        if (!(await act(() => editsOf(store.id).revert(last.id)))) return;
        return shell.notify(t('history.reverted'), 'good');
    };
    return shell.notify(t('edits.undoSaved'), 'info', button(t('history.revert'), revert, { class: 'small' }));
}
