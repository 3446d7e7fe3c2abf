/** Objects of a file put into a store: the file or its URL, what becomes of it, a dry run, and the import. */
import { h, fill, findAll, button, stored } from '../base/dom.js';
import { api, address, ApiError, root } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { bytesText } from '../base/format.js';
import { needStyle } from '../base/download.js';
import { note } from '../base/router.js';
import { jobsOf } from '../base/jobs.js';
import { storeInfo } from '../base/store.js';
import { shell } from '../components/shell.js';
import { act } from '../components/editBar.js';
import { showJob } from '../components/jobRow.js';
import { ImportColumns } from '../components/importColumns.js';
import { ImportFeed } from '../components/importFeed.js';
import { ImportMapping } from '../components/importMapping.js';
import { importReport } from '../components/importReport.js';
import { loading, failure } from '../components/states.js';

export async function render({ params, query, signal }) {
    const [store] = await Promise.all([storeInfo(params.store), needStrings('import'), needStrings('jobs'),
        needStyle('jobs')]);
    const form = new ImportForm(store, query.get('entity') ?? '', signal);
    form.start();
    // A page that is loaded again shows the import that it has begun.
    const job = query.get('job');
    const known = job && await api.get(form.jobs.path(job), signal).catch(() => null);
    if (known) form.follow(async () => known, query.get('trial') === '1');
    store.addEventListener('writing', () => form.start(), { signal });
    const element = h('div.page', {}, h('h1', {}, t('import.title')), form.element);
    return { element, store, title: t('import.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('import.title')]] };
}

class ImportForm {
    /** @param {import('../base/store.js').StoreInfo} store @param {string} entity @param {AbortSignal} signal */
    constructor(store, entity, signal) {
        this.store = store;
        this.entity = entity;
        this.signal = signal;
        this.jobs = jobsOf(store.id);
        this.sent = null;
        this.steps = h('div');
        this.report = h('div.importreport', { role: 'region', tabindex: '-1', 'aria-live': 'polite',
            'aria-label': t('import.report') });
        this.element = h('div', {}, this.steps, this.report);
    }

    /** Brings what is done, or what came of it, into view: what stands above it may be long. */
    reveal() {
        this.report.scrollIntoView({ block: 'nearest' });
        this.report.focus({ preventScroll: true });
    }

    /** Keeps the buttons from being pressed while an import is at work. */
    hold(isHeld) { for (const one of findAll(this.steps, '.importrun button')) one.disabled = isHeld; }

    path(...more) { return address(['stores', this.store.id, 'import', ...more]); }

    /** The choice of a file or of a URL. */
    start() {
        fill(this.report);
        if (!this.store.writing) return fill(this.steps, h('p', {}, t('import.needsWriting')));
        const file = h('input', { type: 'file', accept: '.csv,.json,.jsonl,.ndjson,.xml,.rss,.atom', id: 'import-file',
            on: { change: () => file.files[0] && this.send(file.files[0]) } });
        const url = h('input', { type: 'url', required: true, placeholder: 'https://', id: 'import-url', dir: 'ltr' });
        const form = h('form', { on: { submit: (event) => {
            event.preventDefault();
            this.fetch(url.value.trim());
        } } }, url, h('button', { type: 'submit' }, t('import.fetch')));
        return fill(this.steps, h('p', {}, t('import.explain')), h('div.importsource', {},
            h('label', { for: file.id }, t('import.file')), file, h('label', { for: url.id }, t('import.url')), form));
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
            fill(this.report);
            return this.received(reply);
        } catch (error) {
            return this.signal.aborted ? null : fill(this.report, failure(error));
        }
    }

    /** Lets the server get what a URL has. */
    async fetch(url) {
        const reply = await showJob(this.report, this.jobs,
            () => this.jobs.start(this.path('urls'), { url, entity: this.entity || null }, this.signal), this.signal);
        if (!reply) return;
        fill(this.report);
        this.received({ ...reply, url });
    }

    /** Shows what can be done with a file, first what is most likely. */
    received(reply) {
        this.sent = { ...reply, asked: this.entity || null };
        const known = reply.columns.filter((c) => c.property).length;
        const isList = reply.format === 'csv' || known > 0 || reply.columns.some((c) => c.name === 'entity');
        this.choose(reply.feed ? 'feed' : reply.problem || !isList ? 'mapping' : 'columns');
    }

    /** Takes a way: by columns, by a mapping, or as a feed. @param {string} way */
    choose(way) {
        const { sent, store } = this;
        const ways = [sent.feed && 'feed', !sent.problem && 'columns', 'mapping'].filter(Boolean);
        const made = { feed: () => new ImportFeed(store, sent, (...more) => this.path(...more), this.jobs, this.signal),
            columns: () => new ImportColumns(store, sent),
            mapping: () => new ImportMapping(store, sent, this.path('mapping')) };
        this.way = made[way]();
        this.lenient = h('input', { type: 'checkbox' });
        const select = h('select', { 'aria-label': t('import.way'), on: { change: () => this.choose(select.value) } },
            ways.map((name) => h('option', { value: name, selected: name === way }, t(`import.way.${name}`))));
        fill(this.steps,
            h('p', {}, h('strong', {}, stored(sent.name)), ' ', h('span.tag', {}, sent.feed ?? sent.format), ' ',
                button(t('import.other'), () => this.start())),
            h('div.importway', {}, h('div.formgrid', {}, h('span', {}, t('import.way')), select), this.way.element),
            h('p', {}, h('label', {}, this.lenient, ' ', t('import.lenient'))),
            h('div.line.importrun', {}, button(t('import.try'), () => this.run(true)),
                button(t('import.run'), () => this.run(false), { class: 'primary' })));
    }

    run(dryRun) {
        const { sent } = this;
        const body = { file: sent.file, format: sent.format, ...this.way.body(), dryRun,
            leaveOutRefused: this.lenient.checked, job: true };
        return this.follow(() => this.jobs.start(this.path(), body, this.signal), dryRun);
    }

    /** Shows a job until it has ended, then its report. */
    async follow(start, dryRun) {
        this.hold(true);
        this.reveal();
        const reply = await showJob(this.report, this.jobs, async () => {
            const job = await start();
            note({ entity: this.entity, job: job.id, trial: dryRun ? '1' : '' });
            return job;
        }, this.signal);
        if (this.signal.aborted) return;
        this.hold(false);
        if (!reply) return;
        fill(this.report, importReport(this.store, reply, dryRun));
        this.reveal();
        if (reply.saved) {
            shell.notify(t('import.done', { count: reply.inserted + reply.updated }), 'good');
            act(() => this.store.count());
        }
    }
}
