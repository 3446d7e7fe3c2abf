/** Two models beside each other, and whether lightweight migration takes stores from one to the other. */
import { h, fill, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { link, note } from '../base/router.js';
import { loading, failure, empty } from '../components/states.js';

export async function render({ query, signal }) {
    await needStrings('compare');
    const { models = [] } = await api.get('/compare/models/choices', signal);
    const chosen = { left: query.get('left') ?? models[0]?.id,
        right: query.get('right') ?? models[1]?.id ?? models[0]?.id };
    const result = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('compare.result') });
    const run = async () => {
        note(chosen);
        fill(result, loading());
        try {
            fill(result, report(await api.get(address(['compare', 'models'], chosen), signal)));
        } catch (error) {
            if (!signal.aborted) fill(result, failure(error, run));
        }
    };
    const text = (m) => [m.name, m.version].filter(Boolean).join(' · ');
    const pick = (side) => h('label', {}, t(side === 'left' ? 'compare.old' : 'compare.new'), ' ',
        h('select', { on: { change: (event) => { chosen[side] = event.target.value; run(); } } },
            models.map((m) => h('option', { value: m.id, selected: m.id === chosen[side] }, text(m)))));
    if (models.length) run();
    const choice = () => h('div.line', {}, pick('left'), pick('right'), h('span.grow'),
        h('a', { href: link('/compare') }, t('compare.title')));
    const element = h('div.page', {}, h('h1', {}, t('compare.models')),
        models.length ? [choice(), result] : empty(t('stores.none')));
    return { element, title: t('compare.models'), crumbs: [[t('stores.title'), '/'], [t('compare.models')]] };
}

function report(reply) {
    const { verdict, obstacles, losses, remarks } = reply.migration;
    const findings = (title, list) => list.length > 0 && h('section', {}, h('h3', {}, title), h('ul', {},
        list.map((f) => h('li', {}, stored([f.entity, f.name].filter(Boolean).join('.')), ': ', stored(f.reason),
            f.hint && h('span.dim', {}, ' ', stored(f.hint))))));
    return [h('p', {}, h('strong', {}, t(`compare.verdict.${verdict}`))),
        findings(t('compare.obstacles'), obstacles), findings(t('compare.losses'), losses),
        findings(t('compare.remarks'), remarks),
        h('h2', {}, t('compare.differences')), reply.changes.length === 0 ? h('p', {}, t('compare.modelsEqual'))
            : h('ul', {}, reply.changes.map((c) => change(c, reply)))];
}

function change(c, reply) {
    const style = { added: 'inserted', removed: 'deleted' }[c.action] ?? 'updated';
    return h('li.change', { class: style },
        h('div.line', {}, h('span.tag', {}, c.kind),
            h('strong', {}, stored([c.entity, c.name].filter(Boolean).join('.'))),
            h('span', {}, t(`compare.action.${c.action}`, { from: c.from.join(', ') })), h('span.grow'),
            c.changesVersionHash && h('span.tag', {}, t('compare.hash'))),
    c.aspects.length > 0 && h('table.threeway', {},
        h('thead', {}, h('tr', {},
            [t('compare.property'), reply.old.name, reply.new.name].map((x) => h('th', { scope: 'col' }, stored(x))))),
        h('tbody', {}, c.aspects.map((a) => h('tr', {}, h('th', { scope: 'row' }, stored(a.name)),
            [a.old, a.new].map((v) => h('td', {}, v === null ? h('span.nil', {}, '∅') : stored(v))))))));
}
