/** The URLs that a store subscribes to: the list, refreshed while it is open, and the form of a new subscription. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { timeNode } from '../base/format.js';
import { jobsOf } from '../base/jobs.js';
import { serverNode } from '../base/serverNode.js';
import { serverText } from '../base/serverTexts.js';
import { storeInfo } from '../base/store.js';
import { needStyle } from '../base/download.js';
import { ask } from '../components/dialog.js';
import { act } from '../components/editBar.js';
import { showJob } from '../components/jobRow.js';
import { empty } from '../components/states.js';
import { shell } from '../components/shell.js';
import { SubscriptionForm, intervalText } from '../components/subscriptionForm.js';

/** How often it is looked whether a URL is due, in milliseconds, and how long one that failed to start is left. */
const pace = 5000, patience = 60000;

/**
 * @typedef {{url: string, mapping: string, entity: ?string, interval: ?number, asked: ?string, changed: ?string,
 *     due: ?string, next: ?string, failure: ?string}} Subscription
 */

export async function render({ params, signal }) {
    const [store] = await Promise.all([storeInfo(params.store), needStrings('subscriptions'), needStrings('import'),
        needStrings('jobs'), needStyle('jobs')]);
    const view = new SubscriptionView(store, signal);
    await view.load();
    store.addEventListener('writing', () => view.draw(), { signal });
    const title = t('subscriptions.title');
    return { element: h('div.page', {}, h('h1', {}, title), view.element), store, title,
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [title]] };
}

class SubscriptionView {
    /** @param {import('../base/store.js').StoreInfo} store @param {AbortSignal} signal */
    constructor(store, signal) {
        this.store = store;
        this.signal = signal;
        this.jobs = jobsOf(store.id);
        /** @type {Subscription[]} */
        this.list = [];
        this.isBusy = false;
        /** Before when nothing is refreshed by itself. */
        this.rest = 0;
        /** How far this browser's clock is ahead, in milliseconds. */
        this.skew = 0;
        this.rows = h('section');
        this.report = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('subscriptions.report') });
        this.form = h('section');
        this.element = h('div', {}, this.rows, this.report, this.form);
        const timer = setInterval(() => this.refreshDue(), pace);
        signal.addEventListener('abort', () => clearInterval(timer));
    }

    path(...more) { return address(['stores', this.store.id, 'subscriptions', ...more]); }

    async load() {
        const reply = await api.get(this.path(), this.signal);
        this.list = reply.subscriptions;
        // What is due is due by the server's clock.
        this.skew = Date.now() - Date.parse(reply.now);
        this.draw();
    }

    draw() {
        const { writing } = this.store;
        fill(this.rows, this.list.length === 0 && empty(t('subscriptions.none'), t('subscriptions.noneHint')),
            this.list.length > 0 && [
                h('p.line', {}, h('span.dim', {}, t(writing ? 'subscriptions.live' : 'subscriptions.needsWriting')),
                    h('span.grow'),
                    button(t('subscriptions.refreshDue'), () => this.refresh(null), { disabled: !writing })),
                h('ul.jobs', { 'aria-label': t('subscriptions.title') }, this.list.map((one) => this.row(one)))]);
        if (!writing) return fill(this.form);
        if (this.form.childElementCount === 0) {
            const done = () => act(() => this.load().then(() => this.store.count()).then(() => true));
            fill(this.form, h('h2', {}, t('subscriptions.add')),
                new SubscriptionForm(this.store, this.jobs, this.path(), this.signal, done).element);
        }
        return undefined;
    }

    /** @param {Subscription} one */
    row(one) {
        const time = (name, date) => [h('dt', {}, t(`subscriptions.${name}`)),
            h('dd', {}, date ? timeNode(date) : t('subscriptions.never'))];
        const result = one.failure ? serverNode(one.failure)
            : !one.asked ? t('subscriptions.never') : t(one.changed === one.asked ? 'subscriptions.imported'
                : 'subscriptions.notChanged');
        const isHeld = !this.store.writing || this.isBusy;
        return h('li.job', { data: { url: one.url, state: one.failure ? 'failed' : 'finished' } },
            h('div.line', {}, h('strong', { dir: 'ltr' }, stored(one.url)), h('span.grow'),
                button(t('subscriptions.refresh'), () => this.refresh(one.url), { class: 'small', disabled: isHeld }),
                button(t('subscriptions.end'), () => this.end(one), { class: 'small', disabled: isHeld })),
            h('dl.keys', {},
                h('dt', {}, t('subscriptions.reads')), h('dd', {}, t(`import.way.${one.mapping === 'feed' ? 'feed'
                    : 'mapping'}`), one.entity && [' · ', stored(one.entity)]),
                time('asked', one.asked),
                h('dt', {}, t('subscriptions.result')), h('dd', { data: { result: '' } }, result),
                time('changed', one.changed), time('next', one.next),
                one.interval !== null && [h('dt', {}, t('subscriptions.interval')),
                    h('dd', {}, intervalText(one.interval))]));
    }

    /** Asks for a URL, or for all that are due. @param {?string} url @param {boolean} isQuiet */
    async refresh(url, isQuiet = false) {
        if (this.isBusy) return;
        this.isBusy = true;
        this.draw();
        const reply = await showJob(this.report, this.jobs,
            () => this.jobs.start(this.path('refresh'), { url }, this.signal), this.signal);
        this.isBusy = false;
        if (this.signal.aborted) return;
        // What could not begin is not tried again at once.
        if (!reply || reply.results.length === 0) this.rest = Date.now() + patience;
        if (reply) fill(this.report);
        await act(() => this.load().then(() => true));
        if (!reply) return;
        const count = reply.results.reduce((sum, r) => sum + (r.inserted ?? 0) + (r.updated ?? 0), 0);
        const failed = reply.results.find((r) => r.result === 'failed');
        if (failed && !isQuiet) shell.notify(serverText(failed.error), 'bad');
        else if (count > 0) shell.notify(t('import.done', { count }), 'good');
        else if (!isQuiet) shell.notify(t('subscriptions.notChanged'));
        if (count > 0) act(() => this.store.count().then(() => true));
    }

    /** Refreshes what is due while the view is in sight. */
    refreshDue() {
        if (!this.store.writing || this.isBusy || document.hidden || Date.now() < this.rest) return;
        const isDue = (one) => !one.next || Date.parse(one.next) <= Date.now() - this.skew;
        if (this.list.some(isDue)) this.refresh(null, true);
    }

    /** @param {Subscription} one */
    async end(one) {
        if (!await ask({ title: t('subscriptions.endTitle'), text: t('subscriptions.endText', { url: one.url }),
            action: t('subscriptions.end') })) return;
        await act(() => api.post(this.path('end'), { url: one.url }).then(() => this.load()).then(() => true));
    }
}
