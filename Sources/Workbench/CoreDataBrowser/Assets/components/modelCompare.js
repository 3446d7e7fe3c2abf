/** Two versions of a model beside each other, and whether a store can follow from one to the other. */
import { h, fill, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { onward, t } from '../base/i18n.js';
import { failure, loading } from './states.js';

export function show(place, view) {
    const { session } = view;
    const names = session.reply.versions.map((v) => v.name);
    const at = names.indexOf(session.version);
    const choice = (label, value) => h('select', { 'aria-label': label },
        names.map((n) => h('option', { value: n, selected: n === value }, n)));
    const from = choice(t('model.from'), names[Math.max(0, at - 1)]);
    const to = choice(t('model.to'), session.version);
    const result = h('div', { 'aria-live': 'polite' });
    const ask = async () => {
        fill(result, loading());
        try {
            fill(result,
                report(await api.get(address(['models', session.id, 'compare'], { from: from.value, to: to.value }))));
        } catch (error) {
            fill(result, failure(error, ask));
        }
    };
    for (const field of [from, to]) field.addEventListener('change', ask);
    fill(place, h('h1', {}, t('model.view.compare')), h('div.line', {}, from, onward(), to), result);
    return ask();
}

function report(reply) {
    const { migration } = reply;
    const list = (title, findings, kind) => findings.length > 0 && h('section', {}, h('h2', {}, title), h('ul', {},
        findings.map((f) => h('li.change', { class: kind }, h('strong', {}, stored(path(f))),
            h('p', {}, stored(f.reason)), f.hint && h('p.dim', {}, stored(f.hint))))));
    return [h('p', {},
        h('strong', { class: migration.obstacles.length ? 'problem' : 'good', data: { verdict: migration.verdict } },
            t(`model.verdict.${migration.verdict}`))),
        list(t('model.obstacles'), migration.obstacles, 'deleted'), list(t('model.losses'), migration.losses, ''),
        list(t('model.remarks'), migration.remarks, ''),
        reply.equal ? h('p', {}, t('model.equal')) : h('div.tableplace', {}, h('table', {},
            h('thead', {}, h('tr', {},
                [t('model.item'), t('model.change'), t('model.from'), t('model.to')].map((x) => h('th', {}, x)))),
            h('tbody', {}, reply.changes.flatMap(rows))))];
}

const path = (item) => (item.entity ? `${item.entity}.${item.name}` : item.name);

/** A row for each aspect; the item stands before the first. */
function rows(change) {
    const what = t(`model.action.${change.action}`) + (change.from.length ? ` (${change.from.join(', ')})` : '');
    const head = (isFirst) => [h('th', { scope: 'row' }, isFirst && stored(path(change))),
        h('td', {}, isFirst && h('span.tag', { data: { action: change.action } }, what))];
    if (!change.aspects.length) return [h('tr', { class: change.action }, head(true), h('td'), h('td'))];
    return change.aspects.map((a, i) => h('tr', { class: change.action }, head(i === 0),
        h('td', {}, h('span.dim', {}, `${a.name}: `), stored(a.old ?? '–')), h('td', {}, stored(a.new ?? '–'),
            a.changesVersionHash && h('span.tag', { title: t('model.hashed') }, '#'))));
}
