/** A store: its entities with counts, what its file is, and what is amiss with it. */
import { h, button, stored } from '../base/dom.js';
import { t, number } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { link } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { writingSwitch } from '../components/side.js';
import { openMenu } from '../components/menu.js';
import { exportMenu } from '../components/exportMenu.js';

export async function render({ params, query, signal }) {
    let store;
    try {
        store = await storeInfo(params.store);
    } catch (error) {
        if (!error.body?.error?.closed) throw error;
        return (await import('./rawStore.js')).render({ params, query, signal }, error);
    }
    const { summary } = store;
    const body = h('tbody');
    const draw = () => body.replaceChildren(...rows(store, null, 0));
    draw();
    store.addEventListener('counts', draw, { signal });
    const element = h('div.page', {},
        h('h1', {}, stored(summary.name)),
        h('dl.facts', {},
            fact(t('store.type'), summary.type), fact(t('store.file'), summary.path), fact(t('store.uuid'),
                summary.uuid),
            h('dt', {}, t('writing.title')), h('dd', {}, writingSwitch(store))),
        h('div.line', {}, button(t('export.title'),
            (e) => openMenu(e.currentTarget, exportMenu(store, {}, ['jsonl', 'json'])), { 'aria-haspopup': 'menu' })),
        (summary.problems ?? []).map((p) => h('p.problem', { role: 'note' }, stored(serverText(p)))),
        h('h2', {}, t('shell.entities')),
        h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('shell.entities') }, h('table.plain', {},
            h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('entity.name')),
                h('th.num', { scope: 'col' }, t('entity.objects')),
                h('th.num', { scope: 'col' }, t('entity.attributes')), h('th.num', { scope: 'col' },
                    t('entity.relationships')))), body)));
    return { element, title: summary.name, crumbs: [[t('stores.title'), '/'], [summary.name]], store };
}

function fact(name, value) {
    return value ? [h('dt', {}, name), h('dd', {}, stored(value))] : [];
}

function rows(store, parent, level) {
    return store.below(parent).flatMap((entity) => {
        const counts = store.counts?.[entity.name];
        return [h('tr', {},
            h('th', { scope: 'row', vars: { '--level': level } },
                h('a', { href: link(`/stores/${store.id}/entities/${encodeURIComponent(entity.name)}`) },
                    stored(entity.name)),
                entity.abstract && h('span.tag', {}, t('entity.abstract'))),
            h('td.num', {}, counts?.all === null || counts?.all === undefined ? '…' : number(counts.all)),
            h('td.num', {}, number(entity.attributes.length)), h('td.num', {}, number(entity.relationships.length))),
        ...rows(store, entity.name, level + 1)];
    });
}
