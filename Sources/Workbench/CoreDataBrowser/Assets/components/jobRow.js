/** The row of a job: what it does, how far it is, and the buttons that cancel it and let it stand still. */
import { h, fill, button, stored } from '../base/dom.js';
import { number, t } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { serverText } from '../base/serverTexts.js';
import { bytesText } from '../base/format.js';
import { isEnded } from '../base/jobs.js';
import { act } from './editBar.js';
import { failure } from './states.js';

/** @typedef {import('../base/jobs.js').Job} Job */
/** @typedef {ReturnType<typeof import('../base/jobs.js').jobsOf>} Jobs */

/** What a job's row says: `Waiting...`, `Completed 3 of 10`, `Cancelled...`. @param {Job} job */
export function jobText(job) {
    if (job.state === 'failed') return t('jobs.failed', { reason: serverText(job.reason ?? '') });
    if (job.cancelled) return t('jobs.cancelled');
    if (job.state === 'waiting' || job.state === 'paused' && job.completed === 0) return t('jobs.waiting');
    if (job.unit === 'steps') return t(job.state === 'finished' ? 'jobs.done' : 'jobs.running');
    return job.total ? t('jobs.completedOf', { completed: number(job.completed), total: number(job.total) })
        : t('jobs.completed', { completed: number(job.completed) });
}

/** Seconds as `0:05`, `12:00` or `1:02:03`. @param {number} seconds */
export function clock(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const shown = parts[0] > 0 ? parts : parts.slice(1);
    return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** The unit, the rate and the time that is left. @param {Job} job */
function details(job) {
    const isBytes = job.unit === 'bytes';
    const parts = [];
    if (job.unit !== 'steps' && !isEnded(job) && job.state !== 'waiting') parts.push(t(`jobs.unit.${job.unit}`));
    if (job.state === 'paused') parts.push(t('jobs.paused'));
    if (job.state === 'running' && job.rate) {
        parts.push(t('jobs.rate', { rate: isBytes ? bytesText(job.rate) : number(job.rate) }));
    }
    if (job.state === 'running' && job.remaining !== null) parts.push(t('jobs.left', { time: clock(job.remaining) }));
    else if (job.state === 'running' && job.elapsed > 0) parts.push(clock(job.elapsed));
    return parts.join(' · ');
}

/** A row that follows a job; the buttons stay while it changes, so that they keep the focus. */
export class JobRow {
    /** @param {Jobs} jobs @param {Job} job */
    constructor(jobs, job) {
        this.jobs = jobs;
        this.id = job.id;
        this.bar = h('progress', { max: 1, 'aria-label': t(`jobs.kind.${job.kind}`) });
        this.text = h('span');
        this.details = h('span.dim');
        const on = (action) => () => act(() => jobs.act(this.id, action).then(() => true));
        this.pause = button(t('jobs.pause'), on('pause'), { class: 'small' });
        this.resume = button(t('jobs.resume'), on('resume'), { class: 'small' });
        this.cancel = button(t('action.cancel'), on('cancel'), { class: 'small' });
        this.dismiss = button(t('action.close'), on('dismiss'), { class: 'small' });
        this.element = h('li.job', { data: { job: job.id } },
            h('div.line', {}, h('strong', {}, t(`jobs.kind.${job.kind}`)), stored(job.subject), h('span.grow'),
                this.pause, this.resume, this.cancel, this.dismiss),
            this.bar, h('div.line', {}, this.text, this.details));
        this.update(job);
    }

    /** @param {Job} job */
    update(job) {
        const ended = isEnded(job);
        this.element.dataset.state = job.state;
        this.bar.hidden = ended;
        if (job.fraction === null) this.bar.removeAttribute('value');
        else this.bar.value = job.fraction;
        fill(this.text, job.state === 'failed' ? h('bdi', {}, jobText(job)) : jobText(job));
        fill(this.details, details(job), job.message && [' · ', serverNode(job.message)]);
        this.pause.hidden = !job.pausable || job.state === 'paused' || job.cancelled;
        this.resume.hidden = job.state !== 'paused';
        this.cancel.hidden = ended || job.cancelled;
        this.dismiss.hidden = job.state !== 'failed';
    }
}

/**
 * Shows a job in a place until it has ended, and gives its result; null where it was cancelled, failed or left, which
 * is then shown there.
 * @param {HTMLElement} place @param {Jobs} jobs @param {() => Promise<Job>} start @param {AbortSignal} signal
 * @param {string} cancelled what is said of one that was cancelled
 */
export async function showJob(place, jobs, start, signal, cancelled = t('jobs.cancelledText')) {
    try {
        const job = await start();
        const row = new JobRow(jobs, job);
        fill(place, h('ul.jobs', {}, row.element));
        const update = () => {
            const now = jobs.list.find((one) => one.id === job.id);
            if (now) row.update(now);
        };
        jobs.addEventListener('change', update, { signal });
        const result = await jobs.result(job.id, signal);
        jobs.removeEventListener('change', update);
        if (result === null) fill(place, h('p', { role: 'status' }, cancelled));
        return result;
    } catch (error) {
        if (!signal.aborted) fill(place, failure(error));
        return null;
    }
}
