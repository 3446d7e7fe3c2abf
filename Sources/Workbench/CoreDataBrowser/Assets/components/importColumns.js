/** The columns of a file with objects as an export writes them, and which property each becomes. */
import { h, fill, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { entityChoice, settable } from './importParts.js';

const plain = (name) => name.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export class ImportColumns {
    /** @param {import('../base/store.js').StoreInfo} store @param {any} sent what the server says of the file */
    constructor(store, sent) {
        this.store = store;
        this.sent = sent;
        this.entity = sent.entity;
        this.map = Object.fromEntries(sent.columns.map((c) => [c.name, c.property]));
        this.element = h('div');
        // Rows of several entities say theirs themselves: a choice of columns for one would leave those of the others
        // out.
        if (this.isOfSeveral()) this.choose('');
        else this.draw();
    }

    /** Whether objects of the file have keys that only another entity than the one that was found has. */
    isOfSeveral() {
        const { format, entity, columns, asked } = this.sent;
        const others = [...this.store.entities.values()].filter((e) => e.name !== entity)
            .flatMap((e) => [...e.attributes, ...e.relationships].map((p) => p.name));
        return format !== 'csv' && !asked && columns.some((c) => !c.property && others.includes(c.name));
    }

    names() { return settable(this.store.entities.get(this.entity)); }

    draw() {
        const { sent, store, entity, map } = this;
        const names = this.names();
        const row = (column) => h('tr', {}, h('th', { scope: 'row' }, stored(column.name)),
            h('td.samples', {}, stored(column.samples.join(' · '))),
            entity && h('td', {}, h('select', { 'aria-label': t('import.propertyOf', { name: column.name }),
                on: { change: (e) => { map[column.name] = e.target.value || null; } } },
                h('option', { value: '' }, t('import.leaveOut')),
                names.map((name) => h('option', { value: name, selected: map[column.name] === name }, name)))));
        this.match = h('select', { 'aria-label': t('import.match') },
            [['', t('import.matchNone')], ['constraint', t('import.matchConstraint')], ['id', t('import.matchID')],
                ...names.filter((n) => store.entities.get(entity)?.attributes.some((a) => a.name === n)).map((n) =>
                    [n, t('import.matchKey', { name: n })])].map(([value, text]) => h('option', { value }, text)));
        fill(this.element,
            h('div.formgrid', {}, h('span', {}, t('import.entity')),
                entityChoice(store, entity, (name) => this.choose(name), t('import.asFileSays')),
                h('span', {}, t('import.match')), this.match),
            h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('import.columns') }, h('table.plain', {},
                h('thead', {}, h('tr', {}, ['column', 'samples', entity && 'property']
                    .filter(Boolean).map((k) => h('th', { scope: 'col' }, t(`import.${k}`))))),
                h('tbody', {}, sent.columns.map(row)))));
    }

    /** Takes another entity, and the properties of it that columns have the names of. */
    choose(entity) {
        this.entity = entity;
        const names = this.names();
        for (const { name } of this.sent.columns) {
            this.map[name] = names.find((n) => n === name) ?? names.find((n) => plain(n) === plain(name))
                ?? (entity ? null : name);
        }
        this.draw();
    }

    /** What an import is asked for. */
    body() {
        return { entity: this.entity || null, match: this.match.value || null, map: this.entity ? this.map : {} };
    }
}
