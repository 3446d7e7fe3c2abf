/** A table of what a console found: columns with what they are, cells of any kind, the rest by scrolling. */
import { h, stored } from '../base/dom.js';
import { t, number } from '../base/i18n.js';
import { bytesText, shownDate } from '../base/format.js';

const referenceDate = Date.UTC(2001, 0, 1);

/** The seconds since 2001 as a date in the chosen zone; nothing for another number. */
function dateOf(seconds) {
    const date = new Date(referenceDate + Number(seconds) * 1000);
    return Number.isNaN(date.getTime()) ? '' : shownDate(date.toISOString());
}

/** A cell of SQL: numbers, texts, what was cut, bytes. */
export function sqlCell(value, column) {
    if (value === null) return h('td', { class: column.isNumber ? 'num' : '' }, h('span.nil', {}, 'NULL'));
    if (typeof value === 'object' && 'hex' in value) {
        return h('td', {}, h('code', {}, `x'${value.hex}'${value.bytes * 2 > value.hex.length ? '…' : ''}`), ' ',
            h('span.dim', {}, bytesText(value.bytes)));
    }
    if (typeof value === 'object') {
        return h('td', {}, stored(`${value.text}…`), ' ', h('span.tag', {}, bytesText(value.bytes)));
    }
    if (column.isDate) return h('td.num', {}, h('bdi', {}, String(value)), ' ', h('span.dim', {}, dateOf(value)));
    return typeof value === 'number' ? h('td.num', {}, String(value)) : h('td', {}, stored(value));
}

/** What a column is in the model, in words. */
export function meaningText(column) {
    const path = [column.entity, column.property].filter(Boolean).join('.');
    if (!column.kind) return '';
    return column.kind === 'attribute' ? path || t('sql.kind.date')
        : [path, t(`sql.kind.${column.kind}`)].filter(Boolean).join(' · ');
}

/**
 * @param {string} label what the table is called for screen readers
 * @param {{title: string, detail?: string, isNumber?: boolean}[]} columns
 * @param {Node[][]} rows cells, a list a row
 */
export function resultTable(label, columns, rows) {
    return h('div.scroll.result', { tabindex: '0', role: 'region', 'aria-label': label }, h('table.plain', {},
        h('caption.unseen', {}, `${label}: ${t('result.rows', { count: rows.length })}`),
        h('thead', {}, h('tr', {}, columns.map((c) => h('th', { scope: 'col', class: c.isNumber ? 'num' : '' },
            stored(c.title), c.detail && h('span.meaning', {}, stored(c.detail)))))),
        h('tbody', {}, rows.map((cells) => h('tr', {}, cells)))));
}

/** A line that says how many rows there are, and whether these are all. */
export function resultStatus(count, stopped, milliseconds) {
    return h('p.resultstatus', { role: 'status' }, h('strong', {}, t('result.rows', { count })),
        stopped && h('span.tag.stopped', {}, t(`result.stopped.${stopped}`)),
        milliseconds !== undefined && h('span.dim', {}, t('result.time', { time: number(milliseconds) })));
}
