/** What is not as it should be in a store's file, and its repair. */
import { h, fill, button, stored } from '../base/dom.js';
import { address } from '../base/api.js';
import { needStrings, t, number } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { link } from '../base/router.js';
import { needStyle } from '../base/download.js';
import { isEnded, jobsOf } from '../base/jobs.js';
import { storeInfo } from '../base/store.js';
import { ask } from '../components/dialog.js';
import { showJob } from '../components/jobRow.js';

export async function render({ params, signal }) {
    const [store] = await Promise.all([
        storeInfo(params.store), needStrings('jobs'), needStrings('check'), needStyle('jobs')]);
    const jobs = jobsOf(store.id);
    const result = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('check.title') });
    const repairing = h('span');
    const run = async (repaired = null) => {
        fill(repairing);
        const reply = repaired?.check ?? await showJob(result, jobs, begin, signal);
        if (!reply) return;
        fill(result, repaired && outcome(repaired), report(store, reply));
        fill(repairing, reply.repairable > 0 && repairButton(reply.repairable));
    };
    // A check that another tab has begun, or this one before it was loaded again, is not begun twice.
    const begin = async () => {
        await jobs.load(signal);
        return jobs.list.find((job) => job.kind === 'check' && !isEnded(job) && !job.cancelled)
            ?? jobs.start(address(['stores', store.id, 'check']), {}, signal);
    };
    const repairButton = (count) => (store.writing
        ? button(t('check.repair'), async () => {
            if (!await ask({ title: t('check.repair'), text: t('check.repairText', { count }),
                action: t('check.repair') })) return;
            fill(repairing);
            const repaired = await showJob(result, jobs,
                () => jobs.start(address(['stores', store.id, 'repair']), { job: true }, signal), signal);
            if (repaired) await run(repaired);
        }, { class: 'primary' })
        : h('span.dim', {}, t('check.needsWriting')));
    // The view is there at once; a large store takes its time.
    run();
    store.addEventListener('writing', () => run(), { signal });
    const element = h('div.page', {}, h('h1', {}, t('check.title')),
        h('div.line', {}, button(t('check.again'), () => run()), repairing), result);
    return { element, store, title: t('check.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('check.title')]] };
}

/** What a repair did, and where the store is as it was. */
function outcome(repaired) {
    return h('div.good', { role: 'status' }, h('p', {}, t('check.repaired', { count: repaired.repaired })),
        repaired.backup && h('p', {}, t('check.backup'), ' ', stored(repaired.backup)),
        repaired.remarks.map((text) => h('p', {}, serverNode(text))));
}

function report(store, reply) {
    const kinds = Object.entries(reply.counts);
    return [h('p', {}, reply.sound ? h('strong', {}, t('check.sound')) : t('check.found', { count: reply.count })),
        reply.remarks.map((text) => h('p.dim', {}, serverNode(text))),
        kinds.map(([kind, count]) => {
            const listed = reply.findings.filter((f) => f.kind === kind);
            return h('section', {}, h('h2', {}, stored(kind), ' ', h('span.count', {}, number(count))),
                h('ul', {}, listed.map((f) => finding(store, f))),
                listed.length < count && h('p.dim', {}, t('check.more', { count: count - listed.length })));
        })];
}

function finding(store, f) {
    const isObject = /^[^/]+\/p\d+$/.test(f.object ?? '');
    return h('li.change.deleted', {}, h('div.line', {},
        isObject ? h('a', { href: link(`/stores/${store.id}/objects/${f.object}`) }, stored(f.object))
            : stored(f.object ?? f.entity ?? ''),
        f.property && h('span.tag', {}, stored(f.property)), h('span.grow'),
        f.repairable && h('span.tag', {}, t('check.repairable'))),
    h('p', {}, serverNode(f.sentence)), f.remedy && h('p.dim', {}, serverNode(f.remedy)));
}
