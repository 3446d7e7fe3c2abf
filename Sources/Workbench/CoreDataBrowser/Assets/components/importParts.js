/** What the ways of an import share. */
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';

/** @typedef {import('../base/store.js').StoreInfo} StoreInfo */
/** @typedef {import('../base/store.js').Entity} Entity */

/** The properties that an import can set, elements of composite attributes among them. @param {Entity} [entity] */
export function settable(entity) {
    const elements = (a, path = a.name) => (a.elements ?? []).flatMap((e) =>
        (e.type === 'composite' ? elements(e, `${path}.${e.name}`) : [`${path}.${e.name}`]));
    return entity ? [...entity.attributes.filter((a) => !a.readOnly).flatMap((a) => [a.name, ...elements(a)]),
        ...entity.relationships.map((r) => r.name)].sort() : [];
}

/**
 * The choice of an entity that has objects.
 * @param {StoreInfo} store @param {string} chosen @param {(name: string) => void} change
 * @param {string} [none] the text of no entity; nothing to demand one
 */
export function entityChoice(store, chosen, change, none = '') {
    const select = h('select', { 'aria-label': t('import.entity'), on: { change: () => change(select.value) } },
        none && h('option', { value: '' }, none),
        !none && !chosen && h('option', { value: '', selected: true }, t('import.chooseEntity')),
        [...store.entities.values()].filter((e) => !e.abstract)
            .map((e) => h('option', { value: e.name, selected: e.name === chosen }, e.name)));
    return select;
}
