/** The tables of a store with their columns; a click writes a name into the statement. */
import { h, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { meaningText } from './resultTable.js';

/** @param {any} schema @param {(name: string) => void} insert */
export function sqlTables(schema, insert) {
    const name = (text, detail) => button(h('bdi', {}, text),
        () => insert(/^[\p{L}_]\w*$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`),
        { class: 'plain small mono', title: detail || null });
    const known = schema.tables.filter((table) => table.entity);
    const others = schema.tables.filter((table) => !table.entity);
    const entry = (table) => h('li', {}, h('details', {},
        h('summary', {}, h('span.mono', {}, h('bdi', {}, table.name)),
            table.entity && h('span.dim', {}, ' ', stored(table.entity))),
        h('ul.sqlcolumns', {}, h('li', {}, name(table.name, table.entity), h('span.dim', {}, t('sql.table'))),
            table.columns.map((c) => h('li', {}, name(c.name, meaningText(c)),
                h('span.dim', {}, stored(meaningText(c) || c.type.toLowerCase())))))));
    return h('details.sqltables', {}, h('summary', {}, t('sql.tables')),
        h('ul', {}, known.map(entry)),
        others.length > 0 && h('details', {}, h('summary', {}, t('sql.otherTables')), h('ul', {}, others.map(entry))));
}
