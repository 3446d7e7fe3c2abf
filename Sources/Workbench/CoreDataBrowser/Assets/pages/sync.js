/** How a store stands with its peers: what each lacks, what waits, errors with a cure, and an exchange by hand. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { bytesText, timeNode } from '../base/format.js';
import { jobsOf } from '../base/jobs.js';
import { serverNode } from '../base/serverNode.js';
import { storeInfo } from '../base/store.js';
import { needStyle } from '../base/download.js';
import { ask } from '../components/dialog.js';
import { act } from '../components/editBar.js';
import { showJob } from '../components/jobRow.js';
import { empty } from '../components/states.js';
import { shell } from '../components/shell.js';
import { askForGroup, NearbyDevices } from '../components/nearbyDevices.js';
import { SyncConflicts } from '../components/syncConflicts.js';

/** How often the state is read while the view is in sight, in milliseconds. */
const pace = 10000;
/** How many changes are listed that a reader took back. */
const refusedShown = 10;

/**
 * @typedef {{identity: string, own: boolean, reader: boolean, retired: boolean, lastSeen: ?string, lacks: number,
 *     isAheadBy: number}} Peer
 * @typedef {{writing: boolean, takesPart: boolean, nearbyPossible: boolean, identity: string, inSync: boolean,
 *     waiting: boolean, transport: string, lastExchange: ?string, pendingObjects: ?number, missingBytes: number,
 *     unsentValues: {entity: string, attribute: string, size: number}[], incomingBytes: ?number,
 *     outgoingBytes: number, refusedItems: string[],
 *     refusedWrites: {date: string, kind: string, entity: string, identity: ?string, keys: string[]}[],
 *     lastFailure: ?{date: string, message: string, cure: ?string},
 *     unusable: ?{message: string, cure: string, date?: string}, peers: Peer[]}} Status
 */

export async function render({ params, signal }) {
    const [store] = await Promise.all([storeInfo(params.store), needStrings('sync'), needStrings('jobs'),
        needStyle('jobs'), needStyle('nearby')]);
    const view = new SyncView(store, signal);
    await view.load();
    store.addEventListener('writing', () => view.draw(), { signal });
    const title = t('sync.title');
    return { element: h('div.page', {}, h('h1', {}, title), view.element), store, title,
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [title]] };
}

class SyncView {
    /** @param {import('../base/store.js').StoreInfo} store @param {AbortSignal} signal */
    constructor(store, signal) {
        this.store = store;
        this.signal = signal;
        this.jobs = jobsOf(store.id);
        /** @type {?Status} */
        this.status = null;
        this.isBusy = false;
        this.state = h('section');
        this.report = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('sync.report') });
        this.conflicts = new SyncConflicts(this);
        this.nearby = new NearbyDevices(this);
        this.element = h('div', {}, this.state, this.nearby.element, this.conflicts.element, this.report);
        const timer = setInterval(() => this.look(), pace);
        signal.addEventListener('abort', () => clearInterval(timer));
    }

    path(...more) { return address(['stores', this.store.id, 'sync', ...more]); }

    async load() {
        this.status = await api.get(this.path(), this.signal);
        if (this.isNearby && !this.nearby.state) await this.nearby.load();
        this.draw();
    }

    /** Whether the peers are devices nearby, and this program connects them. */
    get isNearby() { return this.status.nearbyPossible && Boolean(this.status.transport?.startsWith('peers:')); }

    /**
     * Reads the state again, without a word where that fails: the next look may succeed. What has the focus stays where
     * there is nothing new.
     */
    async look() {
        if (this.isBusy || document.hidden) return;
        const status = await api.get(this.path(), this.signal).catch(() => null);
        if (!status || this.isBusy || JSON.stringify(status) === JSON.stringify(this.status)) return;
        this.status = status;
        this.draw();
        if (status.pendingObjects > 0) this.nearby.isBehind = true;
    }

    draw() {
        if (this.isNearby && this.nearby.state) this.nearby.draw();
        const { status } = this;
        if (!status.takesPart) {
            return fill(this.state, empty(t('sync.none'), t('sync.noneHint'),
                h('code', { dir: 'ltr' }, 'coredata sync init STORE --folder FOLDER'),
                status.nearbyPossible && button(t('sync.nearbyJoin'), () => this.join(),
                    { class: 'primary', disabled: !this.store.writing || this.isBusy })));
        }
        const isHeld = !this.store.writing || this.isBusy || status.unusable !== null;
        return fill(this.state,
            h('p.line', {}, h('strong', { data: { sync: status.inSync } },
                t(status.inSync ? 'sync.inSync' : 'sync.notInSync')), h('span.grow'),
                button(t('sync.exchange'), () => this.exchange(), { class: 'primary', disabled: isHeld })),
            !this.store.writing && h('p.dim', {}, t('sync.needsWriting')),
            this.reasons(), this.facts(),
            h('h2', {}, t('sync.peers')),
            h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('sync.peers') }, this.peers(isHeld)),
            h('p.line', {}, h('h2', {}, t('sync.conflicts')), h('span.grow'),
                button(t('sync.list'), () => this.conflicts.load(), { disabled: !this.store.writing || this.isBusy })));
    }

    /** Why the store is not in sync, where that is more than what its peers lack. */
    reasons() {
        const { status } = this;
        const failures = [status.unusable, status.lastFailure].filter((f) => f);
        return [
            status.waiting && h('p', {}, t('sync.waiting')),
            status.pendingObjects > 0 && h('p', {}, t('sync.pending', { count: status.pendingObjects })),
            status.incomingBytes === null && !status.unusable && h('p', {}, t('sync.cannotReach')),
            failures.map((f) => h('div.failed', { role: 'alert' },
                h('p', {}, f.date && [t('sync.lastError'), ' · ', timeNode(f.date), ' · '], serverNode(f.message)),
                f.cure && h('p.dim', {}, serverNode(f.cure))))];
    }

    facts() {
        const { status } = this;
        const fact = (name, value) => [h('dt', {}, t(`sync.${name}`)), h('dd', { data: { fact: name } }, value)];
        return h('dl.keys', {},
            fact('place', h('span', { dir: 'ltr' }, stored(status.transport))),
            fact('lastExchange', status.lastExchange ? timeNode(status.lastExchange) : t('sync.never')),
            fact('incoming', status.incomingBytes === null ? t('sync.unknown') : bytesText(status.incomingBytes)),
            fact('outgoing', bytesText(status.outgoingBytes)),
            status.missingBytes > 0 && fact('missing', bytesText(status.missingBytes)),
            status.unsentValues.length > 0 && fact('tooLarge', h('ul', {}, status.unsentValues.map((value) =>
                h('li', {}, stored(`${value.entity}.${value.attribute}`), ' · ', bytesText(value.size))))),
            status.refusedItems.length > 0 && fact('refused', h('ul', {},
                status.refusedItems.map((name) => h('li', { dir: 'ltr' }, stored(name))))),
            status.refusedWrites.length > 0 && fact('refusedWrites', h('ul', {},
                status.refusedWrites.slice(-refusedShown).map((write) => h('li', {}, timeNode(write.date), ' · ',
                    t(`sync.${write.kind}`), ' · ', stored([write.entity, ...write.keys].join(', ')))))));
    }

    /** @param {boolean} isHeld */
    peers(isHeld) {
        const head = (name) => h('th', { scope: 'col' }, t(`sync.${name}`));
        return h('table.plain', { 'aria-label': t('sync.peers') },
            h('thead', {}, h('tr', {}, head('identity'), head('role'), head('lastSeen'), head('lacks'), head('ahead'),
                h('th', { scope: 'col' }, h('span.unseen', {}, t('sync.forget'))))),
            h('tbody', {}, this.status.peers.map((peer) => h('tr', { data: { peer: peer.identity } },
                h('th', { scope: 'row' }, h('code', { dir: 'ltr' }, peer.identity)),
                h('td', {}, t(peer.own ? 'sync.self' : peer.retired ? 'sync.forgotten'
                    : peer.reader ? 'sync.reader' : 'sync.writer')),
                h('td', {}, peer.own ? '' : peer.lastSeen ? timeNode(peer.lastSeen) : t('sync.never')),
                h('td', {}, peer.own ? '' : number(peer.lacks)), h('td', {}, peer.own ? '' : number(peer.isAheadBy)),
                h('td', {}, !peer.own && !peer.retired
                    && button(t('sync.forget'), () => this.forget(peer), { class: 'small', disabled: isHeld }))))));
    }

    /** Runs a job of sync, and shows what it did. @param {string} path @param {object} body */
    async run(path, body) {
        this.isBusy = true;
        this.draw();
        const result = await showJob(this.report, this.jobs, () => this.jobs.start(path, body, this.signal),
            this.signal);
        this.isBusy = false;
        if (this.signal.aborted) return null;
        if (result) fill(this.report);
        await act(() => this.load().then(() => true));
        return result;
    }

    /** Takes part with devices nearby, and opens the picker. */
    async join() {
        const group = await askForGroup();
        if (!group || !await this.run(this.path('devices', 'join'), group)) return;
        await act(() => this.nearby.load().then(() => true));
        if (this.isNearby) await this.nearby.open();
    }

    /** @param {boolean} [isQuiet] whether nothing is said where nothing came */
    async exchange(isQuiet = false) {
        const result = await this.run(this.path(), {});
        if (!result) return;
        if (result.refused.length > 0 || result.reports.length > 0) {
            fill(this.report, h('ul', {},
                result.refused.map((one) => h('li', {}, stored(one.item), ': ', serverNode(one.reason))),
                result.reports.map((text) => h('li', {}, serverNode(text)))));
        }
        const { inserted, updated, deleted } = result;
        if (!isQuiet || inserted + updated + deleted > 0) {
            shell.notify(t('sync.done', { inserted, updated, deleted }), 'good');
        }
        if (inserted + updated + deleted > 0) act(() => this.store.count().then(() => true));
    }

    /** @param {Peer} peer */
    async forget(peer) {
        if (!await ask({ title: t('sync.forgetTitle'), text: t('sync.forgetText', { peer: peer.identity }),
            action: t('sync.forget') })) return;
        await this.run(this.path('forget'), { peer: peer.identity });
    }
}
