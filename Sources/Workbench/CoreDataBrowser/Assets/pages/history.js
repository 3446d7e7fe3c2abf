/**
 * The saves that a store's persistent history keeps: a timeline of authors, the newest saves, those of an author or of
 * one object.
 */
import { h, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { shownDate } from '../base/format.js';
import { link, go, reload } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { act } from '../components/editBar.js';
import { shell } from '../components/shell.js';
import { empty } from '../components/states.js';
import { saveEntry } from '../components/saveEntry.js';

export async function render({ params, query, signal }) {
    const store = await storeInfo(params.store);
    const [author, object] = [query.get('author') ?? '', query.get('object') ?? ''];
    const ask = (before) => api.get(address(['stores', store.id, 'history'], { limit: 50, author, object, before }),
        signal);
    const [reply, timeline] = await Promise.all([ask(),
        api.get(address(['stores', store.id, 'history', 'timeline'], { object }), signal)]);
    // The newest comes first.
    const rows = (list) => (list.transactions ?? []).toReversed().map((x) => saveEntry(store, x));
    const list = h('ol', {}, rows(reply));
    const older = button(t('history.older'), async () => {
        const more = await act(() => ask(list.lastElementChild?.getAttribute('data-number')));
        const items = more ? rows(more) : [];
        list.append(...items);
        older.hidden = items.length < 50;
    });
    older.hidden = list.children.length < 50;
    const path = address(['stores', store.id, 'history']);
    const element = h('div.page', {}, h('h1', {}, t('history.title')),
        object && h('p', {}, t('history.ofObject'), ' ',
            h('a', { href: link(address(['stores', store.id, 'objects', object])) }, stored(object)), ' · ',
            h('a', { href: link(path) }, t('history.all'))),
        timeline.authors?.length > 0 && authors(store, timeline, author, object),
        beginning(store, reply),
        list.children.length ? [spanForm(store, reply), list, older] : empty(t('history.none'), t('history.noneHint')));
    return { element, store, title: t('history.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('history.title')]] };
}

/** The switch to begin a history whose saves can be taken back; none where there is one, or none can be. */
function beginning(store, saves) {
    if (!store.writing || saves.keepsOldValues !== false && !saves.reason || store.summary.type !== 'SQLite') {
        return null;
    }
    const begin = async () => {
        if (!await act(() => api.post(address(['stores', store.id, 'history'])).then(() => true))) return;
        shell.notify(t('history.begun'), 'good');
        reload();
    };
    return h('p', {}, button(t('history.begin'), begin), ' ', h('span.dim', {}, t('history.beginText')));
}

/** A row of bars for each author: how many saves there were in each part of the time. */
function authors(store, timeline, chosen, object) {
    const most = Math.max(1, ...timeline.authors.flatMap((a) => a.counts));
    const name = (a) => a.author ?? t('history.noAuthor');
    return h('section.timeline', { 'aria-label': t('history.timeline') },
        timeline.authors.map((a) => h('div.timerow', {},
            h('a', { href: link(address(['stores', store.id, 'history'],
                { author: chosen === a.author ? '' : a.author, object })),
                'aria-current': chosen && chosen === a.author ? 'true' : null },
                stored(name(a)), ' ', h('span.count', {}, number(a.transactions))),
            h('div.timebars',
                { role: 'img', 'aria-label': t('history.savesOf', { name: name(a), count: a.transactions }) },
                a.counts.map((c) => h('span', { vars: { '--share': c / most } }))))),
    h('p.dim', {}, shownDate(timeline.from), ' – ', shownDate(timeline.to)));
}

/** Two saves whose states are to be compared. */
function spanForm(store, reply) {
    const newest = reply.transactions?.at(-1)?.id ?? 1;
    const from = h('input', { type: 'number', min: '0', required: true, 'aria-label': t('history.spanFrom'),
        is: { value: String(Math.max(0, newest - 1)) } });
    const to = h('input', { type: 'number', min: '1', required: true, 'aria-label': t('history.spanTo'),
        is: { value: String(newest) } });
    return h('form.line', { on: { submit: (event) => {
        event.preventDefault();
        go(address(['stores', store.id, 'history', 'span'], { from: from.value, to: to.value }));
    } } },
        h('label', {}, t('history.spanFrom'), ' ', from), h('label', {}, t('history.spanTo'), ' ', to),
        h('button', { type: 'submit' }, t('history.spanRun')));
}
