/** Takes an import back, as a job: all of its saves, the last one first. */
import { h, button } from '../base/dom.js';
import { address } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { jobsOf } from '../base/jobs.js';
import { needStyle } from '../base/download.js';
import { ask, openDialog } from './dialog.js';
import { act } from './editBar.js';
import { showJob } from './jobRow.js';
import { shell } from './shell.js';

/** @typedef {import('../base/store.js').StoreInfo} StoreInfo */

/** Shows the job in a place until it has ended; whether all was taken back. */
async function takeBack(store, name, place) {
    const jobs = jobsOf(store.id);
    const reply = await showJob(place, jobs, () => jobs.start(address(['stores', store.id, 'import', 'reversal']),
        { import: name }, undefined), new AbortController().signal, t('reversal.cancelled'));
    if (!reply) return false;
    place.replaceChildren(h('p', { role: 'status' }, t('reversal.done')));
    shell.notify(t('reversal.done'), 'good');
    act(() => store.count());
    return true;
}

const needed = () => Promise.all([needStrings('reversal'), needStrings('jobs'), needStyle('jobs')]);

/**
 * The button that takes an import back; what comes of it is shown in a place.
 * @param {StoreInfo} store @param {string} name that of the import's context @param {HTMLElement} place
 */
export function reversalButton(store, name, place) {
    const work = button(t('history.revert'), async () => {
        work.disabled = true;
        await needed();
        work.hidden = await takeBack(store, name, place);
        work.disabled = false;
    }, { class: 'small' });
    return work;
}

/**
 * Asks whether an import of the history is to be taken back, and shows the job.
 * @param {StoreInfo} store @param {string} name
 */
export async function askReversal(store, name) {
    await needed();
    const [title, action] = [t('reversal.title'), t('reversal.run')];
    if (!await ask({ title, text: t('reversal.text'), action })) return;
    const place = h('div');
    const shown = openDialog({ title, body: place });
    await takeBack(store, name, place);
    await shown;
}
