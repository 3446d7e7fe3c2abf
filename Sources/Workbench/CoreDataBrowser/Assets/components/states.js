/** What a view shows while it loads, when it has nothing, and when something failed. */
import { h, button } from '../base/dom.js';
import { errorTitle, onward, t } from '../base/i18n.js';

/** A place for what is being loaded. */
export const loading = (text = t('state.loading')) =>
    h('div.state', { role: 'status' }, h('span.spinner', { 'aria-hidden': 'true' }), h('p', {}, text));

/**
 * What is shown while the server works: after half a second, the seconds that have passed and a button that stops it.
 * @param {string} text @param {(() => void) | null} [stop]
 */
export function working(text, stop = null) {
    const begin = performance.now();
    const time = h('span.elapsed', { 'aria-hidden': 'true' });
    const element = h('p.line.working', { role: 'status', hidden: true }, h('span.spinner', { 'aria-hidden': 'true' }),
        h('span', {}, text, ' ', time), stop && button(t('action.stop'), () => stop(), { class: 'small' }));
    const timer = setInterval(() => {
        if (!element.isConnected) return void clearInterval(timer);
        element.hidden = false;
        time.textContent = t('state.seconds', { count: Math.floor((performance.now() - begin) / 1000) });
    }, 500);
    return element;
}

/** What is said where there is nothing; `more` are actions. */
export const empty = (title, text = '', ...more) =>
    h('div.state', {}, h('h2', {}, title), text && h('p', {}, text), h('div.actions', {}, ...more));

/** What failed, why, and what to do. */
export function failure(error, retry) {
    const element = h('div.state.failed', { role: 'alert', class: error.store ? 'file' : '' },
        h('h2', {}, errorTitle(error) || t('state.failed')), h('p', { lang: error.lang ?? null },
            h('bdi', { dir: error.lang ? 'ltr' : document.dir }, error.message)),
        error.hint && h('p.dim', { lang: error.hintLang ?? null },
            h('bdi', { dir: error.hintLang ? 'ltr' : document.dir }, error.hint)),
        error.errors?.length > 0 && h('details', {}, h('summary', {}, t('state.details')), h('ul', {},
            error.errors.map((e) => h('li', {}, h('code', {}, `${e.domain} ${e.code}`), ' ', h('bdi', {}, e.text),
                e.cure && [` ${onward()} `, h('bdi', {}, e.cure)])))),
        h('div.actions', {}, retry && button(t('action.retry'), () => retry())));
    if (error.store) import('./fileProblem.js').then((m) => m.describe(element, error));
    return element;
}
