/** The dialog that makes an item: its name, and what it cannot be without. */
import { h, fill, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { edit } from '../base/models.js';
import { openDialog } from './dialog.js';

/** What the dialog asks for, and the name of the item in its owner. */
const forms = {
    entity: { fields: ['name', 'parent'], item: (owner, v) => v.name },
    attribute: { fields: ['name', 'type', 'composite'], item: (owner, v) => `${owner}.${v.name}` },
    relationship: { fields: ['name', 'destination', 'to-many', 'inverse'], item: (owner, v) => `${owner}.${v.name}` },
    'fetched-property': { fields: ['name', 'entity', 'predicate'], item: (owner, v) => `${owner}.${v.name}` },
    index: { fields: ['name', 'elements'], item: (owner, v) => `${owner}/indexes/${v.name}` },
    constraint: { fields: ['properties'], item: (owner, v) => `${owner}/constraints/${v.properties}` },
    'user-info': { fields: ['name', 'value'], item: (owner, v) => `${owner}/user-info/${v.name}` },
    'fetch-request': { fields: ['name', 'entity', 'predicate'], item: (owner, v) => `requests/${v.name}` },
    configuration: { fields: ['name', 'entities'], item: (owner, v) => `configurations/${v.name}` },
    composite: { fields: ['name'], item: (owner, v) => `composites/${v.name}` },
    member: { fields: ['member'], item: (owner, v) => `${owner}/${v.member}` },
};

/** Opens the dialog; what was made is selected. */
export async function openAdding(view, kind, owner) {
    const { session } = view;
    const { fields, item } = forms[kind];
    const entities = session.of('entity').map((e) => e.name);
    const controls = {};
    const inverses = () =>
        session.properties(controls.destination?.value ?? '').filter((p) => p.kind === 'relationship')
            .map((p) => p.name);
    const choice = (values, empty) => h('select', {}, empty !== undefined && h('option', { value: '' }, empty),
        values.map((v) => h('option', { value: v }, v)));
    const several = (values) => h('select', { multiple: true, size: Math.min(8, Math.max(3, values.length)) },
        values.map((v) => h('option', { value: v }, v)));
    const stored = (name) =>
        session.properties(name).filter((p) => p.kind !== 'fetched-property' && p.values['to-many'] !== 'YES')
            .map((p) => p.name);
    const make = {
        name: () => h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', required: true }),
        value: () => h('input', { type: 'text', autocomplete: 'off' }),
        predicate: () => h('input.mono', { type: 'text', autocomplete: 'off', spellcheck: 'false' }),
        parent: () => choice(entities, t('model.none')), type: () => choice(session.reply.words.type),
        composite: () => choice(session.of('composite').map((c) => c.name), t('model.none')),
        destination: () => choice(entities), entity: () => choice(entities), member: () => choice(entities),
        entities: () => several(entities),
        elements: () => several(stored(owner)), properties: () => several(stored(owner)),
        'to-many': () => h('input', { type: 'checkbox' }),
        inverse: () => h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false',
            placeholder: t('model.none'), list: 'inverses' }),
    };
    for (const field of fields) controls[field] = Object.assign(make[field](), { id: uid('add') });
    const list = h('datalist', { id: 'inverses' });
    controls.destination?.addEventListener('change',
        () => fill(list, inverses().map((n) => h('option', { value: n }))));
    if (controls.destination) fill(list, inverses().map((n) => h('option', { value: n })));
    const read = () => Object.fromEntries(fields.map((f) => [f,
        controls[f].type === 'checkbox' ? (controls[f].checked ? 'YES' : '')
            : controls[f].multiple ? [...controls[f].selectedOptions].map((o) => o.value).join(',')
            : controls[f].value.trim()]));
    const take = async (close) => {
        const values = read();
        if (values.name === '' || values.properties === '' || values.elements === '') {
            return controls[fields[0]].focus();
        }
        const made = item(owner, values);
        if (await view.perform(...editsFor(session, kind, owner, made, values))) {
            close(made);
            view.select(made, { focuses: true });
        }
        return undefined;
    };
    return openDialog({
        title: t('model.addKind', { kind: t(`model.kind.${kind}`) }),
        body: (close) => h('form', { on: { submit: (e) => { e.preventDefault(); take(close); } } },
            h('div.formgrid', {},
                fields.map((f) => [h('label', { for: controls[f].id }, t(`model.field.${f}`)), controls[f]])),
            list, h('input.unseen', { type: 'submit', tabindex: '-1', 'aria-hidden': 'true' })),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('model.add'), class: 'primary', do: take }],
    });
}

/** The edits of one step. An inverse that is not there is made along. */
function editsFor(session, kind, owner, made, values) {
    const own = Object.entries(values).filter(([name, value]) => value !== ''
        && !['name', 'properties', 'member', 'inverse'].includes(name)).map(([name, value]) => `${name}=${value}`);
    const edits = [edit('add', kind, made, ...own)];
    if (values.inverse) {
        const back = `${values.destination}.${values.inverse}`;
        const isThere = session.properties(values.destination).some((p) => p.name === values.inverse);
        if (!isThere && back !== made) edits.push(edit('add', 'relationship', back, `destination=${owner}`));
        edits.push(edit('set', made, `inverse=${values.inverse}`));
    }
    return edits;
}
