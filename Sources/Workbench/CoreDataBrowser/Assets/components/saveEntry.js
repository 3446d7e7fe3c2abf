/** One save of a store's history: who and when, what it changed with old and new values, and its reversal. */
import { h, button, stored } from '../base/dom.js';
import { address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { shownList, timeNode } from '../base/format.js';
import { link } from '../base/router.js';
import { editsOf } from '../base/edits.js';
import { act } from './editBar.js';
import { shell } from './shell.js';

const styles = { insert: 'inserted', update: 'updated', delete: 'deleted' };

/** A save in a list, with the names of what it changed. */
export function saveEntry(store, x) {
    const changes = x.changes ?? [];
    const count = changes.length + (x.moreChanges ?? 0);
    return h('li.change.updated', { data: { number: x.id } }, saveHead(store, x),
        h('details', {}, h('summary', {}, t('history.changes', { count })), h('ul', {},
            changes.slice(0, 200).map((c) => h('li', {}, h('span.tag', {}, c.type), ' ', objectName(store, c), ' ',
                h('span.dim', {}, stored(shownList(c.updatedProperties))))))));
}

/** Number, time and author of a save, and the button that stages its inverse. */
export function saveHead(store, x) {
    const isImport = /^import [\dA-F-]{36}$/.test(x.contextName);
    const revert = async () => {
        if (isImport) return (await import('./importReversal.js')).askReversal(store, x.contextName);
        if (!(await act(() => editsOf(store.id).revert(x.id)))) return;
        return shell.notify(t('history.reverted'), 'good');
    };
    return h('div.line', {},
        h('a', { href: link(address(['stores', store.id, 'history', x.id])) },
            h('strong', {}, t('history.transaction', { number: String(x.id) }))),
        h('span.dim', {}, x.timestamp && timeNode(x.timestamp)), x.author && h('span.tag', {}, stored(x.author)),
        x.bundleID && h('span.dim', {}, stored(x.bundleID)), h('span.grow'),
        store.writing && (x.revertible === false
            ? h('span.dim', { title: t('history.notRevertibleText') }, t('history.notRevertible'))
            : button(t('history.revert'), revert, { class: 'small', title: isImport ? '' : t('history.revertText') })));
}

/** What became of one object, with the values before and after. */
export function objectChange(store, c) {
    const text = (value) => (value === null || value === undefined ? h('span.nil', {}, '∅')
        : stored(typeof value === 'string' ? value : JSON.stringify(value)));
    const values = Object.entries(c.values ?? {});
    const tombstone = Object.entries(c.tombstone ?? {});
    return h('li.change', { class: styles[c.type] ?? 'updated' },
        h('div.line', {}, h('span.tag', {}, c.type), objectName(store, c), h('span.grow'),
            c.objectID && h('a', { href: link(address(['stores', store.id, 'history'], { object: c.objectID })) },
                t('history.object'))),
    values.length > 0 ? h('table.threeway', {},
        h('thead', {}, h('tr', {},
            [t('history.property'), t('history.old'), t('history.new')].map((x) => h('th', { scope: 'col' }, x)))),
        h('tbody', {}, values.map(([name, v]) => h('tr', {}, h('th', { scope: 'row' }, stored(name)),
            h('td', {}, text(v.old)), h('td', {}, text(v.new))))))
        : c.updatedProperties?.length > 0 && h('p.dim', {}, stored(shownList(c.updatedProperties))),
    tombstone.length > 0 && h('dl.keys', { 'aria-label': t('history.tombstone') },
        tombstone.map(([name, value]) => [h('dt', {}, stored(name)), h('dd', {}, text(value))])));
}

function objectName(store, c) {
    const name = c.objectID ?? '';
    return c.type !== 'delete' && /^[^/]+\/p\d+$/.test(name)
        ? h('a', { href: link(`/stores/${store.id}/objects/${name}`) }, stored(name))
        : stored(name || (c.entity ?? '?'));
}
