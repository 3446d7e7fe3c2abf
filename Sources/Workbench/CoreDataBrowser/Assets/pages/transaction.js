/** One save of a store's history, or what several changed altogether, with old and new values. */
import { h } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { storeInfo } from '../base/store.js';
import { link } from '../base/router.js';
import { empty } from '../components/states.js';
import { saveHead, objectChange } from '../components/saveEntry.js';

export async function render({ params, query, signal }) {
    const store = await storeInfo(params.store);
    const isSpan = params.number === 'span';
    const span = { from: query.get('from'), to: query.get('to') };
    const reply = await api.get(address(['stores', store.id, 'history', params.number], isSpan ? span : {}), signal);
    const changes = reply.objects ?? reply.changes;
    const title = isSpan ? t('history.span', span) : t('history.transaction', { number: params.number });
    const element = h('div.page', {}, h('h1', {}, title),
        !isSpan && [saveHead(store, reply), near(store, Number(params.number))],
        changes.length ? h('ul', {}, changes.map((c) => objectChange(store, c))) : empty(t('history.nothing')),
        (reply.moreChanges > 0 || reply.complete === false)
            && h('p.dim', {}, t('history.more', { count: reply.moreChanges ?? 0 })));
    return { element, store, title, crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`],
        [t('history.title'), `/stores/${store.id}/history`], [title]] };
}

/** The saves before and after. */
function near(store, number) {
    const to = (n, text) => n > 0 && h('a', { href: link(`/stores/${store.id}/history/${n}`) }, text);
    return h('nav.line', { 'aria-label': t('history.title') }, to(number - 1, t('history.before')),
        to(number + 1, t('history.after')));
}
