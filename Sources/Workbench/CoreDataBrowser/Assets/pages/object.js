/** The page of one object, with the way that led to it. */
import { h, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { objectLink } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { objectPane } from '../components/objectPane.js';

export async function render({ params, query, signal }) {
    const store = await storeInfo(params.store);
    const id = `${params.entity}/${params.key}`;
    const trail = (query.get('trail') ?? '').split(',').filter((step) => /^[^/]+\/[pt]\d+$/.test(step)).slice(-12);
    const content = await objectPane(store, id, { signal, trail: [...trail, id].slice(-12), isPage: true });
    const label = content.dataset.label || id;
    const element = h('div.page', {}, trail.length > 0
        && h('nav', { 'aria-label': t('object.trail') }, h('ol.trail', {}, trail.map((step, i) => h('li', {},
            h('a', { href: objectLink(store.id, step, trail.slice(0, i)), data: { preview: step } }, stored(step))),
            h('li', { 'aria-current': 'page' }, stored(label))))), content);
    return { element, title: label, store,
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`],
            [params.entity, `/stores/${store.id}/entities/${encodeURIComponent(params.entity)}`], [label]] };
}
