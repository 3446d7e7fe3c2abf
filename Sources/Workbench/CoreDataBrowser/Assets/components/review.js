/** What will be saved: the objects with old and new values, problems, and the SQL. */
import { h, stored } from '../base/dom.js';
import { onward, t } from '../base/i18n.js';
import { valueNode } from '../base/format.js';
import { link } from '../base/router.js';
import { editsOf } from '../base/edits.js';
import { openDialog } from './dialog.js';
import { shell } from './shell.js';

/** Shows it; true where it is to be saved. */
export async function openReview(store) {
    const edits = editsOf(store.id);
    const reply = await edits.review().catch((error) => shell.fail(error));
    if (!reply) return false;
    const problems = edits.state.problems;
    return Boolean(await openDialog({
        title: t('edits.reviewTitle'), wide: true,
        body: (close) => h('div', {},
            problems.map((p) => h('p.problem', { role: 'note' },
                h('a', { href: link(`/stores/${store.id}/objects/${p.object}`), on: { click: () => close() } },
                    stored(p.object)),
                ' ', stored(p.text), p.code && h('span.dim', {}, ` ${[p.domain, p.code].filter(Boolean).join(' ')}`),
                p.cure && h('span', {}, ` ${onward()} `, stored(p.cure)))),
            edits.state.changes.map((c) => change(store, c, close)),
            h('details', {}, h('summary', {}, t('edits.reviewSQL')), h('pre.sql', { tabindex: '0' },
                (reply.sql ?? []).map((s) => [stored(typeof s === 'string' ? s : s.sql ?? JSON.stringify(s)), '\n'])))),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('edits.save'), class: 'primary', do: (close) => close(true) }],
    }));
}

const value = (v) => (v && typeof v === 'object' && v.label ? stored(v.label) : valueNode(v));

function change(store, c, close) {
    return h('section.change', { class: c.kind },
        h('a', { href: link(`/stores/${store.id}/objects/${c.object}`), on: { click: () => close() } },
            stored(c.label || c.object)),
        h('span.tag', {}, t(`edits.kind.${c.kind}`)), ' ', h('span.dim', {}, c.object),
        c.properties?.length > 0 && h('table.plain', {},
            h('tbody', {}, c.properties.map((p) => h('tr', {}, h('th', { scope: 'row' }, stored(p.key)),
                c.kind !== 'inserted' && h('td', {}, h('del', {}, value(p.old))), h('td', {},
                    c.kind === 'deleted' ? '' : value(p.new)))))));
}
