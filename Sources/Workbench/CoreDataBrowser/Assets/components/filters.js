/** Saved filters of an entity, and the model's fetch requests with their variables as a form. */
import { h, visible } from '../base/dom.js';
import { api } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { openDialog } from './dialog.js';
import { editorOf } from './fieldEditor.js';
import { act } from './editBar.js';

/** The items of the menu of filters. */
export async function filterMenu(context) {
    const { store, entity, state, change } = context;
    const path = `/stores/${store.id}/state/filters`;
    const [kept] = await Promise.all([api.get(path).catch(() => null), needStrings('kinds')]);
    const all = kept ?? {};
    const own = all[entity.name] ?? [];
    const keep = (list) => act(() => api.put(path, { ...all, [entity.name]: list }));
    const templates = store.templates.filter((tpl) => tpl.entity === entity.name);
    return [
        ...own.map((f) => ({ text: f.name, detail: f.where || f.search,
            do: () => change({ where: f.where ?? '', search: f.search ?? '', sort: f.sort ?? '', selected: '' }) })),
        ...templates.map((tpl) => ({ text: visible(tpl.name), detail: t('filters.template'),
            do: () => apply(tpl, change) })),
        { text: t('filters.save'), disabled: !state.where && !state.search, do: async () => {
            const name = await askName();
            if (name) {
                keep([...own.filter((f) => f.name !== name),
                    { name, where: state.where, search: state.search, sort: state.sort }]);
            }
        } },
        { text: t('kinds.code.search'), do: () => act(async () => {
            const search = await (await import('./kinds/codeScan.js')).scan(true);
            if (search !== null) change({ search, selected: '' });
        }) },
        ...own.map((f) => ({ text: t('filters.remove', { name: f.name }), danger: true,
            do: () => keep(own.filter((o) => o !== f)) })),
    ];
}

/** Asks for a name. */
export async function askName(title = t('filters.name')) {
    const field = h('input', { type: 'text', 'aria-label': title, autofocus: true });
    return openDialog({
        title, body: (close) => h('form', { on: { submit: (e) => { e.preventDefault(); close(field.value.trim()); } } },
            field),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('action.save'), class: 'primary', do: (close) => close(field.value.trim()) }],
    });
}

async function apply(template, change) {
    if (!template.variables?.length) return change({ where: template.predicate ?? '', search: '', selected: '' });
    const editors =
        template.variables.map((v) => [v, editorOf({ name: v.name, type: v.type ?? 'string', optional: true }, null)]);
    const problem = h('p.problem', { role: 'alert' });
    const where = await openDialog({
        title: t('filters.variables', { name: template.name }),
        body: h('div', {}, h('p', {}, h('code', {}, visible(template.predicate ?? ''))),
            h('div.formgrid', {}, editors.map(([v, e]) => {
                e.control.id = `variable-${v.name}`;
                return [h('label', { for: e.control.id }, `$${v.name}`), e.control];
            })), problem),
        actions: [{ text: t('filters.apply'), class: 'primary', do: (close) => {
            try {
                const values = Object.fromEntries(editors.map(([v, e]) => [v.name, literal(e.read(), v.type)]));
                close(filled(template.predicate, values));
            } catch (error) {
                problem.textContent = error.message;
            }
        } }],
    });
    return where && change({ where, search: '', selected: '' });
}

/** A value as predicates write it. */
export function literal(value, type) {
    if (value === null || value === undefined) return 'nil';
    if (typeof value === 'boolean') return value ? 'YES' : 'NO';
    if (typeof value === 'number' || ['decimal', 'integer64'].includes(type)) return String(value);
    const text = `"${String(value).replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
    return type === 'date' ? `CAST(${(Date.parse(value) - Date.UTC(2001, 0, 1)) / 1000}, "NSDate")` : text;
}

/** A predicate with its variables filled in, those inside quotes left alone. */
function filled(predicate, values) {
    return predicate.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\$(\w+)/g,
        (found, name) => (name && name in values ? values[name] : found));
}
