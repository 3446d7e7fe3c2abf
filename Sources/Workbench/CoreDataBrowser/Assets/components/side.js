/** The side of a store's views: its entities as a tree with counts, and the switch of writing. */
import { h, fill, stored } from '../base/dom.js';
import { t, number } from '../base/i18n.js';
import { link } from '../base/router.js';
import { switchWriting } from '../base/store.js';
import { editsOf } from '../base/edits.js';
import { showEditBar } from './editBar.js';
import { shell } from './shell.js';
import { follow, onLive } from '../base/live.js';

const markJobs = (store) => import('./jobMark.js').then((m) => m.markJobs(store));
onLive(({ kind, store }) => kind === 'job' && markJobs(store));

/** Shows the side and the bar of edits of a store; entities of the same store are left as they are. */
export function showSide(parts, store) {
    showEditBar(parts.bar, store);
    follow(store);
    if (parts.side.dataset.store !== store.id) {
        parts.side.dataset.store = store.id;
        draw(parts.side, store);
        store.addEventListener('counts', () => drawCounts(parts.side, store));
        store.addEventListener('writing', () => draw(parts.side, store));
        store.count().catch(() => {});
        if (store.jobs) markJobs(store.id);
    }
    const path = decodeURIComponent(location.pathname);
    for (const a of parts.side.querySelectorAll('a')) {
        const isHere = path === decodeURIComponent(a.pathname)
            || path.startsWith(`${link(`/stores/${store.id}/objects/`)}${a.dataset.entity}/`);
        if (isHere) a.setAttribute('aria-current', 'page');
        else a.removeAttribute('aria-current');
    }
}

function draw(side, store) {
    const filter = h('input', { type: 'search', placeholder: t('side.filter'), 'aria-label': t('side.filter'),
        on: { input: () => narrow(side, filter.value) } });
    fill(side,
        h('div.sidehead', {}, h('strong', {}, stored(store.summary.name)), writingSwitch(store)),
        store.entities.size > 12 && h('div.sidefilter', {}, filter),
        tree(store, null, 1),
        h('div.sidefoot', {},
            h('ul', {}, places(store).map(([text, path]) => h('li', {}, h('a', { href: link(path) }, text))))));
    drawCounts(side, store);
}

/** The views of a store that are not of one entity: their titles and paths. */
export function places(store) {
    const names = ['history', 'check', 'import', 'subscriptions', 'sync', 'jobs', 'console',
        ...([...store.entities.values()].some((e) => e.coordinates?.length) ? ['map'] : []),
        ...(['SQLite', 'PostgreSQL'].includes(store.summary.type) ? ['sql'] : [])];
    return [[t('model.title'), `/models/store-${store.id}`],
        ...names.map((name) => [t(`${name}.title`), `/stores/${store.id}/${name}`]),
        [t('compare.title'), `/compare?left=${store.id}`]];
}

function tree(store, parent, level) {
    const below = store.below(parent);
    if (!below.length) return null;
    return h('ul', { class: level === 1 ? 'entities' : '' }, below.map((entity) => h('li', {},
        h('a', { href: link(`/stores/${store.id}/entities/${encodeURIComponent(entity.name)}`),
            data: { entity: entity.name }, class: entity.abstract ? 'abstract' : '' },
            stored(entity.title ?? entity.name), entity.abstract && h('span.tag', {}, t('entity.abstract')),
            h('span.count', { data: { count: entity.name } })),
        tree(store, entity.name, level + 1))));
}

function drawCounts(side, store) {
    for (const place of side.querySelectorAll('[data-count]')) {
        const count = store.counts?.[place.dataset.count]?.all;
        place.textContent = count === undefined || count === null ? '…' : number(count);
    }
}

function narrow(side, text) {
    const word = text.toLocaleLowerCase();
    for (const item of [...side.querySelectorAll('.entities li')].reverse()) {
        const isBelow = [...item.querySelectorAll('li')].some((li) => !li.hidden);
        item.hidden = word !== '' && !isBelow
            && !item.querySelector('a').dataset.entity.toLocaleLowerCase().includes(word);
    }
}

/** The switch of writing; where a store cannot be written, a mark that says so. */
export function writingSwitch(store) {
    if (!store.summary.switchable) return h('span.tag', {}, t(store.writing ? 'writing.on' : 'writing.off'));
    const box = h('input', { type: 'checkbox', role: 'switch', is: { checked: store.writing } });
    box.addEventListener('change', async () => {
        box.disabled = true;
        try {
            await switchWriting(store, box.checked);
            shell.notify(t(store.writing ? 'writing.nowOn' : 'writing.nowOff'));
            if (store.writing) await editsOf(store.id).load();
        } catch (error) {
            shell.fail(error);
            box.checked = store.writing;
        } finally {
            box.disabled = false;
        }
    });
    return h('label.switch', { title: t('writing.title') }, box,
        h('span', {}, t(store.writing ? 'writing.on' : 'writing.off')));
}
