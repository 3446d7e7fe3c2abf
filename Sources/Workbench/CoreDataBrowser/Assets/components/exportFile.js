/** Objects as a file: few are sent at once, for many a job makes the file first. */
import { address } from '../base/api.js';
import { download } from '../base/download.js';
import { needStrings, t } from '../base/i18n.js';
import { jobsOf } from '../base/jobs.js';
import { shell } from './shell.js';

/** From how many objects on a job makes the file. */
const many = 50_000;

/** How many objects are asked for, as far as that is known. */
function count(store, { entities }) {
    const { counts } = store;
    if (entities) return counts?.[entities]?.all ?? 0;
    return Object.values(counts ?? {}).reduce((sum, one) => sum + (one.own ?? 0), 0);
}

/** Saves what a query selects, in the form that it names. */
export async function save(store, query) {
    const name = `${query.entities ?? store.summary.name.replace(/\.[^.]*$/, '')}.${query.to}`;
    const path = address(['stores', store.id, 'export']);
    if (count(store, query) < many) return download(address(['stores', store.id, 'export'], query), name);
    await needStrings('jobs');
    const jobs = jobsOf(store.id);
    const job = await jobs.start(path, query);
    shell.notify(t('jobs.exporting', { name }));
    const result = await jobs.result(job.id, new AbortController().signal);
    return result && download(jobs.path(job.id, 'file'), name);
}
