/** What a stretch of a recording comes to: findings, totals, the call tree, and a comparison. */
import { h, stored } from '../base/dom.js';
import { t, number } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { duration } from './traceTimeline.js';

/** What costs more than it must, with what cures it. */
export function findingList(findings, reveal) {
    return h('section', {}, h('h2', {}, t('instruments.findings'), ' ', h('span.count', {}, number(findings.length))),
        findings.length === 0 ? h('p.good', {}, t('instruments.noFindings'))
            : h('ul', {}, findings.map((finding) => h('li.finding', {},
                h('div.line', {}, h('strong', {}, t(`instruments.finding.${finding.kind}`)),
                    h('span.tag', {}, duration(finding.time)),
                    h('span.grow'),
                    h('button', { type: 'button', class: 'small', on: { click: () => reveal(finding.event) } },
                        t('instruments.show'))),
                h('p', {}, serverNode(finding.text)),
                finding.site && h('p.dim', {}, t('instruments.site'), ' ', h('code', {}, stored(finding.site))),
                h('p', {}, serverNode(finding.cure)), finding.code && h('pre', {}, stored(finding.code))))));
}

const cell = (text) => h('td.num', {}, text);

/** Number and time by kinds, entities and statements. */
export function totalsTables(totals) {
    const table = (title, name, lines) => h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': title },
        h('table.plain', { 'aria-label': title },
            h('thead', {}, h('tr', {}, [name, 'count', 'time', 'longest', 'rows', 'scanned'].map((key, i) =>
                h('th', { scope: 'col', class: i ? 'num' : '' }, t(`instruments.${key}`))))),
            h('tbody', {}, lines.map(([title, sum]) => h('tr', {}, h('td', {}, title), cell(number(sum.count)),
                cell(duration(sum.time)), cell(duration(sum.longest)),
                cell(number(sum.rows)), cell(number(sum.scanned)))))));
    return h('section', {}, h('h2', {}, t('instruments.totals')),
        table(t('instruments.totals'), 'kind',
            Object.entries(totals.kinds).map(([kind, sum]) => [t(`instruments.kind.${kind}`), sum])),
        totals.entities.length > 0 && [h('h2', {}, t('instruments.entities')),
            table(t('instruments.entities'), 'entity',
                totals.entities.map(({ entity, sum }) => [stored(entity), sum]))],
        totals.statements.length > 0 && [h('h2', {}, t('instruments.statements')),
            table(t('instruments.statements'), 'statement',
                totals.statements.map(({ sql, sum }) => [h('code', {}, stored(sql)), sum]))]);
}

/** Who called the library, opened along the longest way. */
export function callTree(root) {
    const node = (entry, depth) => {
        const title = [h('span.num', {}, `${Math.round((entry.time / Math.max(root.time, 1)) * 100)} %`), ' ',
            duration(entry.time), ' ', h('code', {}, stored(entry.name))];
        if (!entry.children.length) return h('li', {}, title);
        return h('li', {}, h('details', { open: depth < 12 && entry.time * 2 > root.time }, h('summary', {}, title),
            h('ul', {}, entry.children.map((child) => node(child, depth + 1)))));
    };
    return h('section', {}, h('h2', {}, t('instruments.callTree')), h('ul.calltree', {}, root.children.length
        ? root.children.map((child) => node(child, 0)) : h('li.dim', {}, t('instruments.noCalls'))));
}

/** Two recordings side by side. */
export function comparisonTable(reply) {
    const lines = [...reply.kinds.map((line) => ({ ...line, title: t(`instruments.kind.${line.name}`) })),
        ...reply.statements.map((line) => ({ ...line, title: h('code', {}, stored(line.name)) }))];
    return h('section', {}, h('h2', {}, t('instruments.comparison')),
        h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': t('instruments.comparison') },
            h('table.plain', { 'aria-label': t('instruments.comparison') },
                h('thead', {}, h('tr', {}, ['kind', 'count', 'before', 'time', 'before', 'difference'].map((key, i) =>
                    h('th', { scope: 'col', class: i ? 'num' : '' }, t(`instruments.${key}`))))),
                h('tbody', {}, lines.map((line) => h('tr', {}, h('td', {}, line.title), cell(number(line.latter.count)),
                    cell(number(line.former.count)), cell(duration(line.latter.time)),
                    cell(duration(line.former.time)),
                    cell(`${line.difference < 0 ? '−' : '+'}${duration(Math.abs(line.difference))}`)))))));
}
