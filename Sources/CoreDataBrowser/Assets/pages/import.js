/** Objects of a file put into a store: the file, what its columns are, a trial with its report, and the import. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address, root } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
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
    return { element, store, title: t('import.title'), crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('import.title')]] };
}

const plain = (name) => name.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

class ImportForm {
    constructor(store, entity, signal) {
        Object.assign(this, { store, entity, signal, sent: null, working: null });
        this.steps = h('div');
        this.report = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('import.report') });
        this.element = h('div', {}, this.steps, this.report);
        signal.addEventListener('abort', () => this.working?.abort());
    }

    path(...more) { return address(['stores', this.store.id, 'import', ...more]); }

    /** The choice of a file. */
    start() {
        fill(this.report);
        if (!this.store.writing) return fill(this.steps, h('p', {}, t('import.needsWriting')));
        const input = h('input', { type: 'file', accept: '.csv,.json,.jsonl,.ndjson', 'aria-label': t('import.file'), on: { change: () => input.files[0] && this.send(input.files[0]) } });
        return fill(this.steps, h('p', {}, t('import.explain')), h('p', {}, input));
    }

    async send(file) {
        fill(this.report, loading(t('import.sending', { size: bytesText(file.size) })));
        try {
            const response = await fetch(`${root}${this.path('files')}?${new URLSearchParams({ name: file.name, entity: this.entity })}`, {
                method: 'POST', body: file, signal: this.signal, credentials: 'same-origin', headers: api.headers({ 'Content-Type': 'application/octet-stream' }),
            });
            const told = await response.json().catch(() => null);
            if (!response.ok) return fill(this.report, failure({ message: told?.error?.reason ?? `HTTP ${response.status}`, hint: told?.error?.hint }));
            this.sent = { ...told, name: file.name, map: Object.fromEntries(told.columns.map((c) => [c.name, c.property])) };
            fill(this.report);
            return this.mapping();
        } catch (error) {
            return this.signal.aborted ? null : fill(this.report, failure(error));
        }
    }

    /** The properties that columns can be. */
    properties() {
        const entity = this.store.entities.get(this.sent.entity);
        return entity ? [...entity.attributes.filter((a) => !a.readOnly).map((a) => a.name), ...entity.relationships.map((r) => r.name)].sort() : [];
    }

    mapping() {
        const { sent, store } = this;
        const names = this.properties();
        const row = (column) => h('tr', {}, h('th', { scope: 'row' }, stored(column.name)), h('td', {}, stored(column.samples.join(' · '))),
            h('td', {}, h('select', { 'aria-label': t('import.propertyOf', { name: column.name }), on: { change: (e) => { sent.map[column.name] = e.target.value || null; } } },
                h('option', { value: '' }, t('import.leaveOut')), names.map((name) => h('option', { value: name, selected: sent.map[column.name] === name }, name)))));
        const entity = h('select', { 'aria-label': t('import.entity'), on: { change: () => this.choose(entity.value) } },
            h('option', { value: '' }, t('import.asFileSays')), [...store.entities.values()].filter((e) => !e.abstract).map((e) => h('option', { value: e.name, selected: e.name === sent.entity }, e.name)));
        this.match = h('select', { 'aria-label': t('import.match') }, [['', t('import.matchNone')], ['constraint', t('import.matchConstraint')], ['id', t('import.matchID')],
            ...names.filter((n) => store.entities.get(sent.entity)?.attributes.some((a) => a.name === n)).map((n) => [n, t('import.matchKey', { name: n })])].map(([value, text]) => h('option', { value }, text)));
        this.lenient = h('input', { type: 'checkbox' });
        fill(this.steps, h('p', {}, h('strong', {}, stored(sent.name)), ' ', h('span.tag', {}, sent.format), ' ', button(t('import.other'), () => this.start())),
            h('div.formgrid', {}, h('span', {}, t('import.entity')), entity, h('span', {}, t('import.match')), this.match),
            h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('import.columns') }, h('table.plain', {}, h('thead', {}, h('tr', {}, ['column', 'samples', 'property'].map((k) => h('th', { scope: 'col' }, t(`import.${k}`))))), h('tbody', {}, sent.columns.map(row)))),
            h('p', {}, h('label', {}, this.lenient, ' ', t('import.lenient'))),
            h('div.line', {}, button(t('import.try'), () => this.run(true)), button(t('import.run'), () => this.run(false), { class: 'primary' })));
    }

    /** Takes another entity, and the properties of it that columns have the names of. */
    choose(entity) {
        this.sent.entity = entity;
        const names = this.properties();
        for (const { name } of this.sent.columns) this.sent.map[name] = names.find((n) => n === name) ?? names.find((n) => plain(n) === plain(name)) ?? (entity ? null : name);
        this.mapping();
    }

    async run(dryRun) {
        const { sent } = this;
        this.working?.abort();
        const working = this.working = new AbortController();
        const bar = h('progress', { max: 1, 'aria-label': t('import.working') });
        fill(this.report, loading(t(dryRun ? 'import.trying' : 'import.working')), bar, ' ', button(t('action.cancel'), () => { working.abort(); fill(this.report, h('p', {}, t('import.cancelled'))); }));
        const timer = setInterval(async () => {
            const told = await api.get(this.path('files', sent.file), working.signal).catch(() => null);
            if (told?.read !== null && told?.bytes) bar.value = told.read / told.bytes;
        }, 700);
        const map = sent.entity ? sent.map : {};
        const body = { file: sent.file, format: sent.format, entity: sent.entity || null, match: this.match.value || null, map, dryRun, leaveOutRefused: this.lenient.checked };
        try {
            const told = await api.post(this.path(), body, working.signal);
            fill(this.report, this.told(told, dryRun));
            if (told.saved) {
                shell.tell(t('import.done', { count: told.inserted + told.updated }), 'good');
                act(() => this.store.count());
            }
        } catch (error) {
            if (!working.signal.aborted) fill(this.report, failure(error, () => this.run(dryRun)));
        } finally {
            clearInterval(timer);
        }
    }

    told(told, dryRun) {
        const kinds = ['inserted', 'updated', 'unchanged'];
        return [h('h2', {}, t(told.saved ? 'import.saved' : dryRun ? 'import.tried' : 'import.notSaved')),
            h('table.plain', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('import.entity')), kinds.map((k) => h('th.num', { scope: 'col' }, t(`import.${k}`))))),
                h('tbody', {}, Object.entries(told.entities).map(([name, counts]) => h('tr', {}, h('th', { scope: 'row' }, stored(name)), kinds.map((k) => h('td.num', {}, number(counts[k]))))))),
            told.refused > 0 && h('section', {}, h('h3', {}, t('import.refused', { count: told.refused })), h('ul', {}, told.refusals.map((r) => h('li', {}, t('import.line', { line: r.line }), r.column && [' ', h('span.tag', {}, stored(r.column))], ' ', stored(r.reason)))))];
    }
}
