/** What is not as it should be in a store's file, and its repair. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { link } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { act } from '../components/editBar.js';
import { ask } from '../components/dialog.js';
import { loading, failure } from '../components/states.js';

export async function render({ params, signal }) {
    const store = await storeInfo(params.store);
    const result = h('div', { role: 'region', 'aria-live': 'polite', 'aria-label': t('check.title') });
    const repairing = h('span');
    const run = async (repaired = null) => {
        fill(result, loading(t('check.running')));
        fill(repairing);
        try {
            const reply = repaired?.check ?? await api.get(address(['stores', store.id, 'check']), signal);
            fill(result, repaired && outcome(repaired), report(store, reply));
            fill(repairing, reply.repairable > 0 && repairButton(reply.repairable));
        } catch (error) {
            if (!signal.aborted) fill(result, failure(error, () => run()));
        }
    };
    const repairButton = (count) => (store.writing
        ? button(t('check.repair'), async () => {
            if (!await ask({ title: t('check.repair'), text: t('check.repairText', { count }),
                action: t('check.repair') })) return;
            const repaired = await act(() => api.post(`/stores/${store.id}/repair`, {}));
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
        repaired.remarks.map((text) => h('p', {}, stored(serverText(text)))));
}

function report(store, reply) {
    const kinds = Object.entries(reply.counts);
    return [h('p', {}, reply.sound ? h('strong', {}, t('check.sound')) : t('check.found', { count: reply.count })),
        reply.remarks.map((text) => h('p.dim', {}, stored(serverText(text)))),
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
    h('p', {}, stored(serverText(f.sentence))), f.remedy && h('p.dim', {}, stored(serverText(f.remedy))));
}
