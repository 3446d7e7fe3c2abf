/** Builds a predicate from the model by controls; writes the same text that one would type. */
import { h, fill, button } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { isNumeric } from '../base/format.js';
import { editorOf } from './fieldEditor.js';
import { literal } from './filters.js';

const texts = ['CONTAINS', 'BEGINSWITH', 'ENDSWITH', 'LIKE', 'MATCHES'];
const orders = ['==', '!=', '<', '<=', '>', '>='];

/**
 * @param {HTMLElement} place
 * @param {any} context
 * @param {any} tree as the server reads the text; null where it is too complex
 * @param {(text: string) => void} changed
 */
export function showBuilder(place, context, tree, changed) {
    if (!tree) {
        return void fill(place, h('p', {}, t('builder.tooComplex')),
            button(t('builder.anew'), () => showBuilder(place, context, { kind: 'and', parts: [] }, changed)));
    }
    const root = tree.kind === 'comparison' ? { kind: 'and', parts: [tree] } : tree;
    if (root.kind === 'and' && root.parts.length === 0) root.parts.push(rule(context));
    const draw = () => fill(place, h('div.builder', {}, group(context, root, null, draw, notify)));
    const notify = () => changed(textOf(context, root, true));
    draw();
    return undefined;
}

const rule = ({ entity }) => ({ kind: 'comparison', key: entity.labelKey ?? entity.attributes[0]?.name ?? '',
    operator: '==', options: '', value: '' });

function group(context, node, remove, draw, notify) {
    const kind =
        h('select', { 'aria-label': t('builder.match'), on: { change: () => { node.kind = kind.value; notify(); } } },
            ['and', 'or', 'not'].map((k) => h('option', { value: k, selected: node.kind === k }, t(`builder.${k}`))));
    const redo = () => { draw(); notify(); };
    const drop = (part) => () => { node.parts = node.parts.filter((p) => p !== part); redo(); };
    return h('div.group', { role: 'group', 'aria-label': t('builder.match') },
        h('div.line', {}, h('span', {}, t('builder.match')), kind,
            button(`+ ${t('builder.addRule')}`, () => { node.parts.push(rule(context)); redo(); }, { class: 'small' }),
            button(`+ ${t('builder.addGroup')}`,
                () => { node.parts.push({ kind: 'or', parts: [rule(context)] }); redo(); }, { class: 'small' }),
            remove && button('✕', remove, { class: 'plain small', 'aria-label': t('builder.remove') })),
    node.parts.map((part) => (part.kind === 'comparison' ? comparison(context, part, drop(part), redo, notify)
        : group(context, part, drop(part), draw, notify))));
}

function comparison(context, node, remove, redo, notify) {
    const { store, entity } = context;
    const model = store.property(entity.name, node.key);
    const type = model?.type ?? 'string';
    const keys = [...entity.attributes.map((a) => a.name),
        ...entity.relationships.flatMap((r) => (r.toMany ? [`${r.name}.@count`]
            : [r.name, ...(store.entities.get(r.destination)?.attributes ?? []).map((a) => `${r.name}.${a.name}`)]))];
    if (!keys.includes(node.key)) keys.unshift(node.key);
    const operators = type === 'string' ? ['==', '!=', ...texts, ...orders.slice(2)]
        : isNumeric(type) || type === 'date' || node.key.endsWith('@count') ? orders : ['==', '!='];
    if (!operators.includes(node.operator)) operators.push(node.operator);
    const choose = (name, list, on) =>
        h('select', { 'aria-label': t(`builder.${name}`), on: { change: (e) => on(e.target.value) } },
            list.map((v) => h('option', { value: v, selected: node[name] === v }, v)));
    const { control, read } = editorOf({ name: node.key, type: node.key.endsWith('@count') ? 'integer64'
        : ['transformable', 'composite', 'binary'].includes(type) ? 'string' : type, optional: true },
        node.value === '' ? null : node.value);
    control.setAttribute('aria-label', t('builder.value'));
    const take = () => {
        try {
            node.value = read();
            notify();
        } catch {
            control.setAttribute('aria-invalid', 'true');
        }
    };
    control.addEventListener('change', take);
    const isVariable = typeof node.variable === 'string';
    const value = isVariable ? variableField(node, notify) : control;
    const form = context.variables && h('select', { 'aria-label': t('builder.form'), on: { change: (e) => {
        node.variable =
            e.target.value === 'variable' ? node.key.split('.').at(-1).toUpperCase().replace(/\W/g, '') : null;
        redo();
    } } },
        ['constant', 'variable'].map((f) => h('option', { value: f, selected: isVariable === (f === 'variable') },
            t(`builder.${f}`))));
    const fold = h('input', { type: 'checkbox', is: { checked: /c/.test(node.options ?? '') },
        on: { change: () => { node.options = fold.checked ? 'cd' : ''; notify(); } } });
    return h('div.line', {}, choose('key', keys, (v) => { node.key = v; node.value = null; redo(); }),
        choose('operator', operators, (v) => { node.operator = v; redo(); }), form, value,
        type === 'string' && h('label.line', {}, fold, t('builder.insensitive')), button('✕', remove,
            { class: 'plain small', 'aria-label': t('builder.remove') }));
}

/** The name of a variable, which is written with its sign and without quotes. */
function variableField(node, notify) {
    const field = h('input.mono', { type: 'text', 'aria-label': t('builder.variable'),
        pattern: '[A-Za-z_][A-Za-z0-9_]*', spellcheck: 'false', is: { value: node.variable } });
    field.addEventListener('change', () => {
        const name = field.value.trim().replace(/^\$+/, '');
        field.setAttribute('aria-invalid', String(!/^[A-Za-z_]\w*$/.test(name)));
        if (/^[A-Za-z_]\w*$/.test(name)) { node.variable = name; notify(); }
    });
    return field;
}

/** The text of a tree. */
function textOf(context, node, isRoot = false) {
    if (node.kind === 'comparison') {
        const type = context.store.property(context.entity.name, node.key)?.type;
        const modifier = node.modifier ? `${node.modifier} ` : '';
        const options = node.options ? `[${node.options}]` : '';
        const compared = `${modifier}${node.key} ${node.operator}${options}`;
        if (typeof node.variable === 'string') return `${compared} $${node.variable}`;
        const values = Array.isArray(node.value) ? `{${node.value.map((v) => literal(v, type)).join(', ')}}`
            : literal(node.value, type);
        return `${compared} ${values}`;
    }
    const parts = node.parts.map((p) => textOf(context, p)).filter(Boolean);
    if (!parts.length) return '';
    if (node.kind === 'not') return `NOT (${parts.join(' OR ')})`;
    const text = parts.join(node.kind === 'or' ? ' OR ' : ' AND ');
    return isRoot || parts.length === 1 ? text : `(${text})`;
}
