/** Changes an attribute of many objects: a dry run first, then staged. */
import { h, fill, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { editsOf } from '../base/edits.js';
import { openDialog } from './dialog.js';
import { editorOf } from './fieldEditor.js';
import { shell } from './shell.js';

export function openBulkEdit({ store, entity, state, view }) {
    const ids = view?.selection.ids ?? [];
    const attributes = entity.attributes.filter((a) => !a.readOnly && !a.derived && a.type !== 'binary');
    const scope = h('select', { id: 'bulk-scope' },
        ids.length > 0 && h('option', { value: 'ids' }, t('bulk.scopeSelected', { count: ids.length })),
        h('option', { value: 'all' }, t('bulk.scopeAll')));
    const key = h('select', { id: 'bulk-key' }, attributes.map((a) => h('option', { value: a.name }, a.name)));
    const place = h('div.control');
    const summary = h('div', { role: 'status' });
    let editor = null;
    const follow = () => {
        editor = editorOf(attributes.find((a) => a.name === key.value) ?? { type: 'string', optional: true }, null);
        editor.control.setAttribute('aria-label', t('bulk.value'));
        fill(place, editor.control);
    };
    key.addEventListener('change', follow);
    follow();
    const run = async (dryRun, close) => {
        try {
            const which = scope.value === 'ids' ? { objects: ids }
                : { where: state.where || undefined, search: state.search || undefined };
            const answer = await api.post(`/stores/${store.id}/bulk`,
                { entity: entity.name, ...which, set: { [key.value]: editor.read() }, dryRun });
            if (dryRun) fill(summary, h('p', {}, t('bulk.matches', answer)),
                h('ul', {}, (answer.sample ?? []).map((s) => h('li', {}, stored(s.label ?? s.object ?? s)))));
            else {
                await editsOf(store.id).load();
                close();
                shell.notify(t('bulk.done', answer), 'good');
            }
        } catch (error) {
            fill(summary, h('p.problem', { role: 'alert' }, stored(error.message), ' ', stored(error.hint ?? '')));
        }
    };
    return openDialog({
        title: t('bulk.title'),
        body: h('div', {}, h('div.formgrid', {}, h('label', { for: 'bulk-scope' }, t('bulk.scope')),
            scope, h('label', { for: 'bulk-key' }, t('bulk.attribute')), key, h('span', {}, t('bulk.value')), place),
            summary),
        actions: [{ text: t('bulk.dry'), do: (close) => run(true, close) },
            { text: t('bulk.stage'), class: 'primary', do: (close) => run(false, close) }],
    });
}
