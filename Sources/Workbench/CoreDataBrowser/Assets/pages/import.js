/** Objects of a file put into a store: the file, what its columns are, a trial with its report, and the import. */
import { h, fill, findAll, button, stored } from '../base/dom.js';
import { api, address, ApiError, root } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { bytesText } from '../base/format.js';
import { storeInfo } from '../base/store.js';
import { shell } from '../components/shell.js';
import { act } from '../components/editBar.js';
import { loading, failure } from '../components/states.js';

export async function render({ params, query, signal }) {
    await needStrings('import');
    const store = await storeInfo(params.store);
    const form = new ImportForm(store, query.get('entity') ?? '', signal);
    const draw = () => form.start();
    draw();
    store.addEventListener('writing', draw, { signal });
    const element = h('div.page', {}, h('h1', {}, t('import.title')), form.element);
    return { element, store, title: t('import.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('import.title')]] };
}

const plain = (name) => name.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

class ImportForm {
    /** @param {import('../base/store.js').StoreInfo} store @param {string} entity @param {AbortSignal} signal */
    constructor(store, entity, signal) {
        this.store = store;
        this.entity = entity;
        this.signal = signal;
        this.sent = null;
        this.working = null;
        this.steps = h('div');
        this.report = h('div.importreport', { role: 'region', tabindex: '-1', 'aria-live': 'polite',
            'aria-label': t('import.report') });
        this.element = h('div', {}, this.steps, this.report);
        signal.addEventListener('abort', () => this.working?.abort());
    }

    /** Shows what is done, or what came of it, and brings it into view: the table of columns above it may be long. */
    show(...parts) {
        fill(this.report, ...parts);
        this.report.scrollIntoView({ block: 'nearest' });
        this.report.focus({ preventScroll: true });
    }

    /** Keeps the buttons from being pressed while an import is at work. */
    hold(isHeld) { for (const one of findAll(this.steps, '.importrun button')) one.disabled = isHeld; }

    path(...more) { return address(['stores', this.store.id, 'import', ...more]); }

    /** The choice of a file. */
    start() {
        fill(this.report);
        if (!this.store.writing) return fill(this.steps, h('p', {}, t('import.needsWriting')));
        const input = h('input', { type: 'file', accept: '.csv,.json,.jsonl,.ndjson', 'aria-label': t('import.file'),
            on: { change: () => input.files[0] && this.send(input.files[0]) } });
        return fill(this.steps, h('p', {}, t('import.explain')), h('p', {}, input));
    }

    async send(file) {
        fill(this.report, loading(t('import.sending', { size: bytesText(file.size) })));
        try {
            const response = await fetch(
                `${root}${this.path('files')}?${new URLSearchParams({ name: file.name, entity: this.entity })}`, {
                    method: 'POST', body: file, signal: this.signal, credentials: 'same-origin',
                    headers: api.headers({ 'Content-Type': 'application/octet-stream' }),
                });
            const reply = await response.json().catch(() => null);
            if (!response.ok) return fill(this.report, failure(new ApiError(response.status, reply)));
            this.sent = { ...reply, name: file.name,
                map: Object.fromEntries(reply.columns.map((c) => [c.name, c.property])) };
            // Rows of several entities say theirs themselves: a choice of columns for one would leave those of the
            // others out.
            if (this.isOfSeveral()) this.choose('');
            fill(this.report);
            return this.mapping();
        } catch (error) {
            return this.signal.aborted ? null : fill(this.report, failure(error));
        }
    }

    /** Whether objects of the file have keys that only another entity than the one that was found has. */
    isOfSeveral() {
        const { format, entity, columns } = this.sent;
        const others = [...this.store.entities.values()].filter((e) => e.name !== entity)
            .flatMap((e) => [...e.attributes, ...e.relationships].map((p) => p.name));
        return format !== 'csv' && !this.entity && columns.some((c) => !c.property && others.includes(c.name));
    }

    /** The properties that columns can be. */
    properties() {
        const entity = this.store.entities.get(this.sent.entity);
        const elements = (a, path = a.name) => (a.elements ?? []).flatMap((e) =>
            (e.type === 'composite' ? elements(e, `${path}.${e.name}`) : [`${path}.${e.name}`]));
        return entity ? [...entity.attributes.filter((a) => !a.readOnly).flatMap((a) => [a.name, ...elements(a)]),
            ...entity.relationships.map((r) => r.name)].sort() : [];
    }

    mapping() {
        const { sent, store } = this;
        const names = this.properties();
        const row = (column) => h('tr', {}, h('th', { scope: 'row' }, stored(column.name)),
            h('td.samples', {}, stored(column.samples.join(' · '))),
            sent.entity && h('td', {}, h('select', { 'aria-label': t('import.propertyOf', { name: column.name }),
                on: { change: (e) => { sent.map[column.name] = e.target.value || null; } } },
                h('option', { value: '' }, t('import.leaveOut')),
                names.map((name) => h('option', { value: name, selected: sent.map[column.name] === name }, name)))));
        const entity =
            h('select', { 'aria-label': t('import.entity'), on: { change: () => this.choose(entity.value) } },
                h('option', { value: '' }, t('import.asFileSays')),
                [...store.entities.values()].filter((e) => !e.abstract)
                    .map((e) => h('option', { value: e.name, selected: e.name === sent.entity }, e.name)));
        this.match = h('select', { 'aria-label': t('import.match') },
            [['', t('import.matchNone')], ['constraint', t('import.matchConstraint')], ['id', t('import.matchID')],
                ...names.filter((n) => store.entities.get(sent.entity)?.attributes.some((a) => a.name === n)).map((n) =>
                    [n, t('import.matchKey', { name: n })])].map(([value, text]) => h('option', { value }, text)));
        this.lenient = h('input', { type: 'checkbox' });
        fill(this.steps,
            h('p', {}, h('strong', {}, stored(sent.name)), ' ', h('span.tag', {}, sent.format), ' ',
                button(t('import.other'), () => this.start())),
            h('div.formgrid', {}, h('span', {}, t('import.entity')), entity, h('span', {}, t('import.match')),
                this.match),
            h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('import.columns') }, h('table.plain', {},
                h('thead', {}, h('tr', {}, ['column', 'samples', sent.entity && 'property']
                    .filter(Boolean).map((k) => h('th', { scope: 'col' }, t(`import.${k}`))))),
                h('tbody', {}, sent.columns.map(row)))),
            h('p', {}, h('label', {}, this.lenient, ' ', t('import.lenient'))),
            h('div.line.importrun', {}, button(t('import.try'), () => this.run(true)),
                button(t('import.run'), () => this.run(false), { class: 'primary' })));
    }

    /** Takes another entity, and the properties of it that columns have the names of. */
    choose(entity) {
        this.sent.entity = entity;
        const names = this.properties();
        for (const { name } of this.sent.columns) {
            this.sent.map[name] = names.find((n) => n === name) ?? names.find((n) => plain(n) === plain(name))
                ?? (entity ? null : name);
        }
        this.mapping();
    }

    async run(dryRun) {
        const { sent } = this;
        this.working?.abort();
        const working = this.working = new AbortController();
        const bar = h('progress', { max: 1, 'aria-label': t('import.working') });
        const part = h('span.dim', { 'aria-hidden': 'true' });
        const began = performance.now();
        const cancel = () => { working.abort(); this.show(h('p', {}, t('import.cancelled'))); };
        this.show(h('div.line.importing', {},
            h('span', { role: 'status' }, t(dryRun ? 'import.trying' : 'import.working')), bar, part,
            button(t('action.cancel'), cancel)));
        this.hold(true);
        const timer = setInterval(async () => {
            const reply = await api.get(this.path('files', sent.file), working.signal).catch(() => null);
            const seconds = t('state.seconds', { count: Math.floor((performance.now() - began) / 1000) });
            if (reply?.read !== null && reply?.bytes) {
                bar.value = Math.min(1, reply.read / reply.bytes);
                part.textContent = `${Math.floor(bar.value * 100)} % · ${seconds}`;
            } else part.textContent = seconds;
        }, 700);
        const map = sent.entity ? sent.map : {};
        const body = { file: sent.file, format: sent.format, entity: sent.entity || null,
            match: this.match.value || null, map, dryRun, leaveOutRefused: this.lenient.checked };
        try {
            const reply = await api.post(this.path(), body, working.signal);
            if (working.signal.aborted) return;
            this.show(this.reply(reply, dryRun));
            if (reply.saved) {
                shell.notify(t('import.done', { count: reply.inserted + reply.updated }), 'good');
                act(() => this.store.count());
            }
        } catch (error) {
            if (!working.signal.aborted) this.show(failure(error, () => this.run(dryRun)));
        } finally {
            clearInterval(timer);
            if (this.working === working) this.hold(false);
        }
    }

    reply(reply, dryRun) {
        const kinds = ['inserted', 'updated', 'unchanged'];
        return [h('h2', {}, t(reply.saved ? 'import.saved' : dryRun ? 'import.tried' : 'import.notSaved')),
            h('table.plain', {},
                h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('import.entity')),
                    kinds.map((k) => h('th.num', { scope: 'col' }, t(`import.${k}`))))),
                h('tbody', {}, Object.entries(reply.entities).map(([name, counts]) => h('tr', {},
                    h('th', { scope: 'row' }, stored(name)), kinds.map((k) => h('td.num', {}, number(counts[k]))))))),
            reply.refused > 0 && h('section', {}, h('h3', {}, t('import.refused', { count: reply.refused })),
                h('ul', {}, reply.refusals.map((r) => h('li', {}, t('import.line', { line: r.line }),
                    r.column && [' ', h('span.tag', {}, stored(r.column))], ' ', stored(serverText(r.reason))))))];
    }
}
