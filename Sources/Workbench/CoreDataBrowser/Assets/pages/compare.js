/**
 * Two stores beside each other: which objects only one has, which are not the same, and copies of those that are
 * chosen.
 */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { needStyle } from '../base/download.js';
import { jobsOf } from '../base/jobs.js';
import { link, note } from '../base/router.js';
import { act } from '../components/editBar.js';
import { ask } from '../components/dialog.js';
import { shell } from '../components/shell.js';
import { showJob } from '../components/jobRow.js';
import { failure, empty } from '../components/states.js';

const kinds = ['changed', 'onlyInA', 'onlyInB'];
const windowSize = 100;

export async function render({ query, signal }) {
    await Promise.all([needStrings('compare'), needStrings('jobs'), needStyle('jobs')]);
    const stores = ((await api.get('/', signal)).stores ?? []).filter((store) => !store.closed);
    const chosen = { left: query.get('left') ?? stores[0]?.id, right: query.get('right') ?? stores[1]?.id ?? '',
        by: query.get('by') ?? '', entity: query.get('entity') ?? '', kind: query.get('kind') ?? '' };
    const result = h('div', { role: 'region', 'aria-label': t('compare.result') });
    const view = new Comparison(chosen, result, signal);
    const pick = (side) => h('select',
        { 'aria-label': t(`compare.${side}`), on: { change: (event) => { chosen[side] = event.target.value; } } },
        stores.map((s) => h('option', { value: s.id, selected: s.id === chosen[side] }, `${s.name} (${s.id})`)));
    const by = h('input', { type: 'text', placeholder: t('compare.byHint'), 'aria-label': t('compare.by'),
        is: { value: chosen.by }, on: { change: () => { chosen.by = by.value.trim(); } } });
    const form = h('form.line',
        { on: { submit: (event) => { event.preventDefault(); chosen.by = by.value.trim(); view.begin(); } } },
        h('label', {}, t('compare.left'), ' ', pick('left')), h('label', {}, t('compare.right'), ' ', pick('right')),
        by,
        h('button.primary', { type: 'submit' }, t('compare.run')), h('span.grow'),
        h('a', { href: link('/compare/models') }, t('compare.models')));
    if (query.get('left') && query.get('right')) view.begin();
    const element = h('div.page', {}, h('h1', {}, t('compare.title')),
        stores.length < 2 ? empty(t('compare.needTwo'), t('compare.needTwoHint')) : [form, result]);
    return { element, title: t('compare.title'), crumbs: [[t('stores.title'), '/'], [t('compare.title')]] };
}

/** The comparison that the page shows, and what of it is chosen. */
class Comparison {
    /** @param {Record<string, string>} chosen @param {HTMLElement} place @param {AbortSignal} signal */
    constructor(chosen, place, signal) {
        this.chosen = chosen;
        this.place = place;
        this.signal = signal;
        /** The differences that are chosen. @type {Set<number>} */
        this.numbers = new Set();
        this.offset = 0;
        this.reply = null;
        this.running = null;
        signal.addEventListener('abort', () => this.running?.abort());
    }

    question(more = {}) {
        const { left, right, by } = this.chosen;
        return { left, right, by, ...more };
    }

    /** Compares again, or shows what is kept of the same comparison. */
    async begin() {
        this.running?.abort();
        const running = this.running = new AbortController();
        this.numbers.clear();
        this.offset = 0;
        note(this.chosen);
        const jobs = jobsOf(this.chosen.left);
        const { left, right, by } = this.question();
        const done = await showJob(this.place, jobs,
            () => jobs.start('/compare', { left, right, by: by || null }, running.signal), running.signal);
        if (!done) return;
        try {
            // What was compared is kept, and looked through from now on.
            this.reply = { comparison: done.comparison };
            this.reply = await this.ask(running.signal);
            this.draw();
        } catch (error) {
            if (!running.signal.aborted) fill(this.place, failure(error, () => this.begin()));
        }
    }

    ask(signal) {
        const { entity, kind } = this.chosen;
        return api.get(address(['compare'], this
            .question({ entity, kind, offset: this.offset, limit: windowSize, comparison: this.reply?.comparison })),
            signal);
    }

    async go(offset) {
        this.offset = offset;
        const reply = await act(() => this.ask(this.signal));
        if (!reply) return;
        this.reply = reply;
        note(this.chosen);
        this.draw();
    }

    draw() {
        const { reply, chosen } = this;
        const filter = (name, texts) => h('select', { 'aria-label': t(`compare.filter.${name}`),
            on: { change: (event) => { chosen[name] = event.target.value; this.numbers.clear(); this.go(0); } } },
            texts.map(([value, text]) => h('option', { value, selected: value === chosen[name] }, text)));
        const entities = Object.keys(reply.summary.entities);
        fill(this.place,
            reply.outdated && h('p.problem', { role: 'note' }, t('compare.outdated'), ' ',
                button(t('compare.again'), () => { this.reply = null; this.begin(); })),
            this.summary(), reply.summary.notCompared.length > 0
                && h('p.dim', {}, t('compare.notCompared'), ' ', stored(reply.summary.notCompared.join(', '))),
            h('div.line', {}, filter('entity', [['', t('compare.allEntities')], ...entities.map((e) => [e, e])]),
                filter('kind', [['', t('compare.allKinds')], ...kinds.map((k) => [k, t(`compare.kind.${k}`)])]),
                h('span.grow'), this.copyButton('right'), this.copyButton('left')),
            reply.total === 0 ? empty(t('compare.equal'))
                : h('ul', {}, reply.differences.map((d) => this.difference(d))),
            this.pager());
    }

    summary() {
        const cells = (counts) => ['equal', ...kinds].map((k) => h('td.num', {}, number(counts[k])));
        const { summary } = this.reply;
        return h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('compare.counts') },
            h('table.plain', {},
                h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('compare.entity')),
                    ['equal', ...kinds].map((k) => h('th.num', { scope: 'col' }, t(`compare.kind.${k}`))))),
                h('tbody', {}, Object.entries(summary.entities)
                    .map(([name, counts]) => h('tr', {}, h('th', { scope: 'row' }, stored(name)), cells(counts)))),
                h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('compare.all')), cells(summary)))));
    }

    difference(d) {
        const box = h('input', { type: 'checkbox', is: { checked: this.numbers.has(d.number) },
            'aria-label': t('compare.choose', { name: d.a ?? d.b }),
            on: { change:
                () => { if (box.checked) this.numbers.add(d.number); else this.numbers.delete(d.number); } } });
        const side = (name, store) => name
            && h('a', { href: link(`/stores/${store.id}/objects/${name}`) }, stored(name));
        const style = { changed: 'updated', onlyInA: 'inserted', onlyInB: 'deleted' }[d.kind];
        const text = (value) => (value === null ? h('span.nil', {}, '∅')
            : stored(typeof value === 'string' ? value : JSON.stringify(value)));
        const rows = Object.entries(d.properties);
        return h('li.change', { class: style },
            h('div.line', {}, box, side(d.a, this.reply.left), d.a && d.b && ' = ', side(d.b, this.reply.right),
                h('span.grow'), h('span.tag', {}, t(`compare.kind.${d.kind}`))),
            rows.length > 0 && h('table.threeway', {},
                h('thead', {}, h('tr', {}, [t('compare.property'), this.reply.left.name, this.reply.right.name].map(
                    (x) => h('th', { scope: 'col' }, stored(x))))),
                h('tbody', {}, rows.map(([name, { a, b }]) => h('tr', {},
                    h('th', { scope: 'row' }, stored(name),
                        d.cut?.includes(name) && h('span.tag', {}, t('compare.cut'))),
                    h('td', {}, text(a)), h('td', {}, text(b)))))));
    }

    pager() {
        const { total } = this.reply;
        if (total <= windowSize) return null;
        const last = Math.min(total, this.offset + windowSize);
        return h('nav.line', { 'aria-label': t('compare.pages') },
            button(t('compare.before'), () => this.go(Math.max(0, this.offset - windowSize)),
                { disabled: this.offset === 0 }),
            h('span', { role: 'status' },
                t('compare.window', { from: number(this.offset + 1), to: number(last), total: number(total) })),
            button(t('compare.after'), () => this.go(this.offset + windowSize), { disabled: last >= total }));
    }

    copyButton(to) {
        const target = this.reply[to];
        return button(t('compare.copy', { name: target.name }), () => this.copy(to),
            { disabled: !target.writing || this.reply.total === 0,
                title: target.writing ? '' : t('compare.needsWriting') });
    }

    /** Tries the copy of what is chosen, or of all that the filters leave, and does it when it was agreed to. */
    async copy(to) {
        const { entity, kind } = this.chosen;
        const choice = this.numbers.size ? { numbers: [...this.numbers] }
            : { all: { entity: entity || null, kind: kind || null } };
        const body = { comparison: this.reply.comparison, to, ...choice };
        const tried = await act(() => api.post('/compare/copy', { ...body, dryRun: true }));
        if (!tried) return;
        const name = this.reply[to].name;
        if (tried.refused.length) {
            return shell.notify(
                t('compare.refused', { count: tried.refused.length, reason: serverText(tried.refused[0].reason) }),
                'error');
        }
        if (!await ask({ title: t('compare.copy', { name }), text: t('compare.copyText', { ...tried, name }),
            action: t('compare.copyDo'), danger: tried.deleted > 0 })) return;
        const jobs = jobsOf(this.reply[to].id);
        const done = await showJob(this.place, jobs,
            () => jobs.start('/compare/copy', { ...body, job: true }), this.signal);
        if (!done) return;
        shell.notify(t('compare.copied', done), 'good');
        this.reply = null;
        await this.begin();
    }
}
