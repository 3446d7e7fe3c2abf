/** The form of a question of the fetch console: what objects are grouped by, and what is calculated of them. */
import { h, fill, button, stored, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { isNumeric } from '../base/format.js';

const functions = ['sum', 'average', 'min', 'max', 'distinct'];
const plain = (a) => !a.transient && !['binary', 'transformable', 'composite', 'undefined'].includes(a.type);

/**
 * What objects of an entity can be grouped by: attributes, parts of dates, to-one relationships and their attributes.
 */
export function groupKeys(store, entity) {
    const own = (e, prefix) => e.attributes.filter(plain).flatMap((a) => [`${prefix}${a.name}`,
        ...(a.type === 'date' ? ['day', 'month', 'year'].map((u) => `${prefix}${a.name}@${u}`) : [])]);
    const toOne = entity.relationships.filter((r) => !r.toMany);
    return [...own(entity, ''), ...toOne.flatMap((r) => [r.name,
        ...(store.entities.has(r.destination) ? own(store.entities.get(r.destination), `${r.name}.`) : [])])];
}

/** The attributes that a function takes. */
function aggregateKeys(store, entity, name) {
    const fits = (a) => plain(a) && (name === 'distinct' || isNumeric(a.type) || (a.type === 'date' && name !== 'sum')
        || (a.type === 'string' && ['min', 'max'].includes(name)));
    const toOne = entity.relationships.filter((r) => !r.toMany);
    const own = (e, prefix) => e.attributes.filter(fits).map((a) => `${prefix}${a.name}`);
    return [...own(entity, ''), ...toOne.flatMap((r) => [...(name === 'distinct' ? [r.name] : []),
        ...(store.entities.has(r.destination) ? own(store.entities.get(r.destination), `${r.name}.`) : [])])];
}

/** Words that were chosen, each with a button that takes it away; `add` is behind them. */
export function chosenWords(question, label, words, remove, ...add) {
    const id = uid('chosen');
    return h('div.question', { role: 'group', 'aria-labelledby': id, data: { question } },
        h('span.questionlabel', { id }, label), h('div.line', {}, words.map((word) => h('span.chip', {}, stored(word),
            button('✕',
                () => remove(word), { class: 'plain small', 'aria-label': t('console.remove', { name: word }) }))),
            ...add));
}

/** A choice of a word to add. */
export function wordChoice(label, words, add) {
    const select = h('select', { 'aria-label': label }, h('option', { value: '' }, label),
        words.map((w) => h('option', { value: w }, w)));
    select.addEventListener('change', () => { if (select.value) add(select.value); });
    return select;
}

/** The choice of a function and an attribute; what is chosen is added as `function:key`, or `count`. */
export function aggregateChoice(store, entity, add) {
    const name = h('select', { 'aria-label': t('console.function') },
        h('option', { value: '' }, t('console.addAggregate')),
        ['count', ...functions].map((f) => h('option', { value: f }, t(`console.${f}`))));
    const key = h('select', { 'aria-label': t('console.attribute'), hidden: true });
    name.addEventListener('change', () => {
        if (name.value === 'count') return add('count');
        key.hidden = !name.value;
        fill(key, h('option', { value: '' }, t('console.attribute')),
            name.value && aggregateKeys(store, entity, name.value).map((k) => h('option', { value: k }, k)));
        if (name.value) key.focus();
        return undefined;
    });
    key.addEventListener('change', () => { if (key.value) add(`${name.value}:${key.value}`); });
    return [name, key];
}
