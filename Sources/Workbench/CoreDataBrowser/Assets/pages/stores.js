/** The first page: the applications and the stores that are shown. */
import { h, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { link, go } from '../base/router.js';
import { empty } from '../components/states.js';

export async function render({ signal }) {
    const { stores = [], apps = [], models = [] } = await api.get('/', signal);
    const only = models.length === 1 ? `/models/${models[0].id}`
        : stores.length === 1 && !apps.length && !models.length ? `/stores/${stores[0].id}` : null;
    if (only && !history.state?.seen && document.referrer === ''
        && sessionStorage.getItem('opencoredata:first') === null) {
            sessionStorage.setItem('opencoredata:first', 'shown');
            queueMicrotask(() => go(only));
        }
    const element = h('div.page', {},
        apps.length > 0
            && h('section', {}, h('h1', {}, t('stores.apps')), h('ul.cards', {}, apps.map((app) => h('li', {},
                h('a.card', { href: link(`/apps/${app.id}`) }, h('strong', {}, stored(app.title ?? app.name)),
                    h('span.dim', {}, t('stores.app'))))))),
        models.length > 0 && h('section', {}, h('h1', {}, t('model.models')), h('ul.cards', {}, models.map((model) =>
            h('li', {}, h('a.card', { href: link(`/models/${model.id}`) }, h('strong', {}, stored(model.name)),
                h('span.tags', {}, h('span.tag', { class: model.editable ? 'writes' : '' },
                    t(model.editable ? 'writing.on' : 'writing.off'))),
                model.path && h('span.dim.path', {}, stored(model.path))))))),
        (stores.length > 0 || models.length === 0) && h('section', {}, h('h1', {}, t('stores.title')),
            stores.length === 0 ? empty(t('stores.none'), t('stores.noneHint')) : h('ul.cards', {}, stores.map(card)),
            stores.length > 1 && h('p', {}, h('a.button', { href: link('/compare') }, t('compare.title')))),
        h('p', {},
            h('a.button', { href: link('/instruments'), title: t('instruments.about') }, t('instruments.title'))));
    return { element, title: t('stores.title') };
}

function card(store) {
    return h('li', {}, h('a.card', { href: link(store.closed ? `/stores/${store.id}/tables` : `/stores/${store.id}`) },
        h('strong', {}, stored(store.name)),
        h('span.tags', {}, store.closed ? h('span.tag', {}, t('raw.closed')) : [h('span.tag', {}, store.type),
            h('span.tag', { class: store.writing ? 'writes' : '' }, t(store.writing ? 'writing.on' : 'writing.off'))]),
        store.path && h('span.dim.path', {}, stored(store.path)),
        (store.problems ?? []).map((p) => h('span.problem', {}, stored(serverText(p))))));
}
