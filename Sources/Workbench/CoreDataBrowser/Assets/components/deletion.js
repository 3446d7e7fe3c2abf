/** What a deletion would do, before it is staged. */
import { h, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { editsOf } from '../base/edits.js';
import { openDialog } from './dialog.js';
import { act } from './editBar.js';

/** @param {import('../base/store.js').StoreInfo} store @param {string[]} ids */
export async function openDeletion(store, ids) {
    const reply = await act(() => api.get(address(['stores', store.id, 'deletion'], { objects: ids.join(',') })));
    if (!reply) return;
    const denied = reply.denied ?? [];
    const chosen = await openDialog({
        title: t('deletion.title', { count: ids.length }),
        body: h('div', {}, part('deletion.denied', denied, 'problem'), part('deletion.deleted', reply.deleted),
            part('deletion.nullified', reply.nullified), h('p.dim', {}, t('deletion.note'))),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('deletion.stage'), class: 'primary danger', do: (close) => close(true) }],
    });
    if (chosen) {
        await act(() => editsOf(store.id).stage(t('edits.deleteName'),
            ids.map((object) => ({ do: 'delete', object }))));
    }
}

/** A list of objects under a heading; the server says how many there are where it does not list all. */
function part(title, reply, mark = '') {
    const list = Array.isArray(reply) ? reply : reply?.objects ?? [];
    const count = Array.isArray(reply) ? reply.length : reply?.count ?? list.length;
    if (!count) return null;
    return [h('h3', { class: mark }, `${t(title)} (${count})`), h('ul', {}, list.slice(0, 30)
        .map((o) => h('li', {}, typeof o === 'string' ? stored(o) : [stored(o.label ?? o.id ?? o.object), ' ',
            h('span.dim', {}, [o.id ?? o.object, o.key].filter(Boolean).join(' · '))]))),
        count > 30 && h('p.dim', {}, t('deletion.more', { count: count - 30 }))];
}
