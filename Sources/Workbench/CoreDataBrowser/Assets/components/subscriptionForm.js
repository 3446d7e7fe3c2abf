/** The form of a new subscription: what is asked for and how often, a preview of the entries, then the subscription. */
import { h, fill, button, find } from '../base/dom.js';
import { locale, t } from '../base/i18n.js';
import { entityChoice } from './importParts.js';
import { importReport } from './importReport.js';
import { showJob } from './jobRow.js';
import { shell } from './shell.js';

const intervals = [900, 3600, 21600, 86400];
/** @type {[string, number][]} */
const units = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

/** Seconds in the greatest unit that fits: `6 hours`. @param {number} seconds */
export function intervalText(seconds) {
    const [unit, length] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? units[3];
    return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

export class SubscriptionForm {
    /**
     * @param {import('../base/store.js').StoreInfo} store
     * @param {ReturnType<typeof import('../base/jobs.js').jobsOf>} jobs
     * @param {string} path @param {AbortSignal} signal @param {() => void} done
     */
    constructor(store, jobs, path, signal, done) {
        this.store = store;
        this.jobs = jobs;
        this.path = path;
        this.signal = signal;
        this.done = done;
        this.entity = '';
        this.url = h('input', { type: 'url', required: true, placeholder: 'https://', dir: 'ltr', id: 'subscription-url',
            on: { input: () => this.changed() } });
        this.way = h('select', { id: 'subscription-way', on: { change: () => this.draw() } },
            ['feed', 'mapping'].map((name) => h('option', { value: name }, t(`import.way.${name}`))));
        this.text = h('textarea', { spellcheck: 'false', dir: 'ltr', 'aria-label': t('import.mappingText'),
            on: { input: () => this.changed() } });
        this.every = h('select', { id: 'subscription-interval', on: { change: () => this.changed() } },
            h('option', { value: '' }, t('subscriptions.asFeedSays')),
            intervals.map((seconds) => h('option', { value: String(seconds) }, intervalText(seconds))));
        this.mapping = h('div.mappingtext');
        this.report = h('div.importreport', { role: 'region', tabindex: '-1', 'aria-live': 'polite',
            'aria-label': t('import.report') });
        this.keep = button(t('subscriptions.subscribe'), () => this.run(false), { class: 'primary', disabled: true });
        this.element = h('div', {}, h('form.importsource', { on: { submit: (event) => {
            event.preventDefault();
            this.run(true);
        } } },
        h('label', { for: this.url.id }, t('import.url')), this.url,
        h('label', { for: this.way.id }, t('import.way')), this.way,
        h('span', {}, t('import.entity')), entityChoice(store, '', (name) => { this.entity = name; this.changed(); }),
        h('label', { for: this.every.id }, t('subscriptions.interval')), this.every,
        h('span'), h('div.line.importrun', {}, h('button', { type: 'submit' }, t('subscriptions.preview')), this.keep)),
        this.mapping, this.report);
        this.draw();
    }

    draw() {
        fill(this.mapping, this.way.value === 'mapping' && [h('p.dim', {}, t('subscriptions.mappingHint')), this.text]);
        this.changed();
    }

    /** What was shown is not what would be subscribed to any more. */
    changed() {
        this.keep.disabled = true;
        fill(this.report);
    }

    /** What is asked of the server. @param {boolean} preview */
    body(preview) {
        return { url: this.url.value.trim(), entity: this.entity || null, preview,
            interval: this.every.value ? Number(this.every.value) : null,
            mapping: this.way.value === 'feed' ? 'feed' : { text: this.text.value } };
    }

    /** @param {boolean} preview */
    async run(preview) {
        const body = this.body(preview);
        const shown = JSON.stringify({ ...body, preview: true });
        this.keep.disabled = true;
        const reply = await showJob(this.report, this.jobs, () => this.jobs.start(this.path, body, this.signal),
            this.signal);
        if (!reply || this.signal.aborted) return;
        if (!preview) {
            this.url.value = '';
            fill(this.report);
            shell.notify(t('subscriptions.done'), 'good');
            return this.done();
        }
        if (shown !== JSON.stringify(this.body(true))) return fill(this.report);
        fill(this.report, importReport(this.store, reply, true));
        // The first entries are in sight at once.
        for (const part of this.report.querySelectorAll('details')) part.open = true;
        this.keep.disabled = false;
        find(this.report, 'h2')?.scrollIntoView({ block: 'nearest' });
        return undefined;
    }
}
