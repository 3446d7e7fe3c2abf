/** What came of an import or of its dry run: counts, examples, refusals by rule, and how it is taken back. */
import { h, stored } from '../base/dom.js';
import { address } from '../base/api.js';
import { number, t } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { link } from '../base/router.js';
import { reversalButton } from './importReversal.js';

const kinds = ['inserted', 'updated', 'unchanged'];

/** @param {import('../base/store.js').StoreInfo} store @param {any} reply @param {boolean} dryRun */
export function importReport(store, reply, dryRun) {
    return [h('h2', {}, t(reply.saved ? 'import.saved' : dryRun ? 'import.tried' : 'import.notSaved')),
        reply.saved && reply.import && takeBack(store, reply),
        Object.keys(reply.entities).length > 0 && h('table.plain', {},
            h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('import.entity')),
                kinds.map((k) => h('th.num', { scope: 'col' }, t(`import.${k}`))))),
            h('tbody', {}, Object.entries(reply.entities).map(([name, counts]) => h('tr', {},
                h('th', { scope: 'row' }, stored(name)), kinds.map((k) => h('td.num', {}, number(counts[k]))))))),
        reply.refused > 0 && refusals(reply),
        samples(store, t('import.inserts'), reply.inserts ?? [], 'inserted'),
        samples(store, t('import.updates'), reply.updates ?? [], 'updated')];
}

/** The saves that the import made, and what takes it back. */
function takeBack(store, { import: name, transaction: first, through: last }) {
    const history = ['stores', store.id, 'history'];
    const [path, text] = first === last
        ? [address([...history, first]), t('history.transaction', { number: String(first) })]
        : [address([...history, 'span'], { from: first - 1, to: last }),
            t('history.span', { from: String(first - 1), to: String(last) })];
    const report = h('div');
    return [h('p.line', {}, h('a', { href: link(path) }, text), reversalButton(store, name, report)), report];
}

const place = ({ line, record }) => (record ? t('import.placeRecord', { line, record }) : t('import.place', { line }));

/** What was refused: by rule with some of the records, then record by record. */
function refusals(reply) {
    const column = (name) => name && [h('span.tag', {}, stored(name)), ' '];
    return h('section', {}, h('h3', {}, t('import.refused', { count: reply.refused })),
        reply.rules?.length > 0 && h('ul.rules', { 'aria-label': t('import.byRule') }, reply.rules.map((rule) =>
            h('li.change.deleted', {}, h('div.line', {}, column(rule.column), serverNode(rule.reason),
                h('span.grow'), h('span.count', {}, number(rule.count))),
            h('p.dim', {}, rule.records.map(place).join(' · '), rule.count > rule.records.length && ' …')))),
        h('details', {}, h('summary', {}, t('import.byRecord')), h('ul', {}, reply.refusals.map((r) =>
            h('li', {}, place(r), ': ', column(r.column), serverNode(r.reason))))));
}

/** Some of the objects that are inserted or updated, with what the file has for them. */
function samples(store, title, list, style) {
    return list.length > 0 && h('details', {}, h('summary', {}, title, ' ', h('span.count', {}, number(list.length))),
        h('ul', {}, list.map((one) => h('li.change', { class: style }, h('div.line', {},
            h('span.tag', {}, stored(one.entity)),
            one.object && h('a', { href: link(`/stores/${store.id}/objects/${one.object}`) }, stored(one.object)),
            h('span.grow'), h('span.dim', {}, place(one))),
        h('dl.keys', {}, Object.entries(one.values).map(([name, text]) =>
            [h('dt', {}, stored(name)), h('dd', {}, stored(text))]))))));
}
