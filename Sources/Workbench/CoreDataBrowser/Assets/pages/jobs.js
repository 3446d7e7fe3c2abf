/** The long work of a store: what runs and waits, and what an ended process has left unfinished. */
import { h, fill, button, stored } from '../base/dom.js';
import { needStrings, t } from '../base/i18n.js';
import { timeNode } from '../base/format.js';
import { jobsOf } from '../base/jobs.js';
import { storeInfo } from '../base/store.js';
import { needStyle } from '../base/download.js';
import { act } from '../components/editBar.js';
import { JobRow } from '../components/jobRow.js';
import { empty } from '../components/states.js';

export async function render({ params, signal }) {
    const [store] = await Promise.all([storeInfo(params.store), needStrings('jobs'), needStyle('jobs')]);
    const jobs = jobsOf(store.id);
    await jobs.load(signal);
    const list = h('ul.jobs', { 'aria-label': t('jobs.title') });
    const none = empty(t('jobs.none'), t('jobs.noneHint'));
    const unfinished = h('section');
    /** @type {Map<string, JobRow>} */
    const rows = new Map();
    const draw = () => {
        for (const [id, row] of rows) {
            if (jobs.list.some((job) => job.id === id)) continue;
            row.element.remove();
            rows.delete(id);
        }
        for (const job of jobs.list) {
            const row = rows.get(job.id);
            if (row) row.update(job);
            else {
                rows.set(job.id, new JobRow(jobs, job));
                list.append(rows.get(job.id).element);
            }
        }
        none.hidden = jobs.list.length > 0 || jobs.unfinished.length > 0;
        drawUnfinished(unfinished, jobs, store.writing);
    };
    draw();
    jobs.addEventListener('change', draw, { signal });
    store.addEventListener('writing', draw, { signal });
    const element = h('div.page', {}, h('h1', {}, t('jobs.title')), list, unfinished, none);
    return { element, store, title: t('jobs.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('jobs.title')]] };
}

/** What can be begun again; an import only where the store is written. */
function drawUnfinished(place, jobs, writing) {
    const shown = jobs.unfinished.map((job) => `${job.id} ${writing}`).join();
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    const row = (job) => h('li.job', { data: { unfinished: job.id } },
        h('div.line', {}, h('strong', {}, t(`jobs.kind.${job.kind}`)), stored(job.subject), h('span.grow'),
            button(t('jobs.again'), () => act(() => jobs.settle(job.id, true)),
                { class: 'small primary', disabled: job.kind === 'import' && !writing }),
            button(t('jobs.forget'), () => act(() => jobs.settle(job.id, false).then(() => true)), { class: 'small' })),
        h('p.dim', {}, t('jobs.begun'), ' ', timeNode(job.created),
            job.kind === 'import' && !writing && ` · ${t('jobs.needsWriting')}`));
    fill(place, jobs.unfinished.length > 0 && [h('h2', {}, t('jobs.unfinished')), h('p', {}, t('jobs.unfinishedText')),
        h('ul.jobs', {}, jobs.unfinished.map(row))]);
}
