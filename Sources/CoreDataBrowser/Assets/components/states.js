/** What a view shows while it loads, when it has nothing, and when something failed. */
import { h, button } from '../base/dom.js';
import { t } from '../base/i18n.js';

/** A place for what is being loaded. */
export const loading = (text = t('state.loading')) =>
    h('div.state', { role: 'status' }, h('span.spinner', { 'aria-hidden': 'true' }), h('p', {}, text));

/** What is said where there is nothing; `more` are actions. */
export const empty = (title, text = '', ...more) =>
    h('div.state', {}, h('h2', {}, title), text && h('p', {}, text), h('div.actions', {}, ...more));

/** What failed, why, and what to do. */
export function failure(error, retry) {
    const element = h('div.state.failed', { role: 'alert', class: error.store ? 'file' : '' }, h('h2', {}, t('state.failed')), h('p', {}, h('bdi', {}, error.message)),
        error.hint && h('p.dim', {}, h('bdi', {}, error.hint)),
        error.errors?.length > 0 && h('details', {}, h('summary', {}, t('state.details')), h('ul', {}, error.errors.map((e) => h('li', {}, h('code', {}, `${e.domain} ${e.code}`), ' ', h('bdi', {}, e.text), e.cure && [' → ', h('bdi', {}, e.cure)])))),
        h('div.actions', {}, retry && button(t('action.retry'), () => retry())));
    if (error.store) import('./fileProblem.js').then((m) => m.describe(element, error));
    return element;
}
