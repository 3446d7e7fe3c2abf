/** The mark at the side that says how many jobs of the store have not ended; loaded at the first event of one. */
import { find, h } from '../base/dom.js';
import { address } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { link } from '../base/router.js';
import { isEnded, jobsOf } from '../base/jobs.js';
import { shell } from './shell.js';
import { jobText } from './jobRow.js';

/** @type {Set<string>} */
const marked = new Set();
/** Jobs whose end was said. @type {Set<string>} */
const announced = new Set();

/** Shows the mark of a store, and keeps it as its jobs are. @param {string} store */
export async function markJobs(store) {
    const jobs = jobsOf(store);
    if (marked.has(store)) return;
    marked.add(store);
    await Promise.all([jobs.load(), needStrings('jobs')]).catch(() => {});
    const draw = () => {
        const place = find(document, `.side[data-store="${CSS.escape(store)}"] a[href$="/jobs"]`);
        const mark = place && (find(place, '.count') ?? place.appendChild(h('span.count', { data: { jobs: '' } })));
        const count = jobs.active + jobs.unfinished.length;
        if (mark) mark.textContent = count ? number(count) : '';
        for (const job of jobs.list.filter((one) => isEnded(one) && !announced.has(one.id))) {
            announced.add(job.id);
            // The answer to the call that started it may come after its end.
            setTimeout(() => announce(jobs, job), 500);
        }
    };
    for (const job of jobs.list.filter(isEnded)) announced.add(job.id);
    jobs.addEventListener('change', draw);
    draw();
    if (jobs.unfinished.length && !find(document, 'main .jobs')) {
        shell.notify(t('jobs.offer', { count: jobs.unfinished.length }), 'info',
            h('a', { href: link(address(['stores', store, 'jobs'])) }, t('jobs.title')));
    }
}

/** Says that a job has ended; who looks at jobs sees it there. */
function announce(jobs, job) {
    if (jobs.own.has(job.id) || find(document, 'main .jobs')) return;
    const text = job.state === 'finished' ? t('jobs.done') : jobText(job);
    shell.notify(`${t(`jobs.kind.${job.kind}`)} ${job.subject}: ${text}`, job.state === 'failed' ? 'error' : 'info');
}
