/**
 * The ready-made mapping of a feed into an entity: what of an entry becomes which attribute, and a preview of entries,
 * which is refreshed while the view is open where the feed came from a URL.
 */
import { h, fill, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { dateText } from '../base/format.js';
import { entityChoice } from './importParts.js';
import { importReport } from './importReport.js';
import { failure } from './states.js';

/** How often the feed is fetched again, in milliseconds. */
const interval = 60000;

export class ImportFeed {
    /**
     * @param {import('../base/store.js').StoreInfo} store @param {any} sent what the server says of the file
     * @param {(...more: string[]) => string} path @param {ReturnType<typeof import('../base/jobs.js').jobsOf>} jobs
     * @param {AbortSignal} signal
     */
    constructor(store, sent, path, jobs, signal) {
        this.store = store;
        this.sent = sent;
        this.path = path;
        this.jobs = jobs;
        this.signal = signal;
        this.entity = sent.asked ?? '';
        this.table = h('div');
        this.preview = h('section');
        this.element = h('div', {}, h('div.formgrid', {}, h('span', {}, t('import.entity')),
            entityChoice(store, this.entity, (name) => this.choose(name))), this.table, this.preview);
        if (this.entity) this.choose(this.entity);
        if (sent.url) {
            const timer = setInterval(
                () => (this.element.isConnected ? this.refresh() : clearInterval(timer)), interval);
            signal.addEventListener('abort', () => clearInterval(timer));
        }
    }

    async choose(entity) {
        this.entity = entity;
        try {
            const reply = await api.post(this.path('mapping'), { file: this.sent.file, ...this.body() }, this.signal);
            if (this.entity !== entity) return;
            const [records] = reply.records;
            fill(this.table, h('p', {}, t('import.feedText')),
                h('table.plain', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('import.property')),
                    h('th', { scope: 'col' }, t('import.from')))),
                h('tbody', {}, records.properties.map((p) => h('tr', {}, h('th', { scope: 'row' }, stored(p.name)),
                    h('td.samples', {}, stored(p.from)))))));
            await this.show();
        } catch (error) {
            if (this.entity === entity && !this.signal.aborted) fill(this.table, failure(error));
        }
    }

    /** Shows what an import would change now. */
    async show() {
        const entity = this.entity;
        const body = { file: this.sent.file, format: this.sent.format, ...this.body(), dryRun: true };
        const reply = await api.post(this.path(), body, this.signal);
        if (this.entity !== entity) return;
        fill(this.preview, importReport(this.store, reply, true), this.sent.url && h('p.dim', {},
            t('import.feedRefreshed', { time: dateText(new Date().toISOString().replace(/\.\d+/, '')) })));
    }

    /** Fetches the feed again; what is shown stays where that fails. */
    async refresh() {
        if (!this.entity) return;
        const work = async () => {
            const job = await this.jobs.start(this.path('urls'), { url: this.sent.url, entity: this.entity },
                this.signal);
            const reply = await this.jobs.result(job.id, this.signal);
            if (!reply) return;
            this.sent.file = reply.file;
            await this.show();
        };
        await work().catch(() => {});
    }

    body() { return { entity: this.entity || null, mapping: 'feed' }; }
}
