/** What stands below an attribute with a kind: what its value says, what can be done with it, and the kind itself. */
import { h, button, fill } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { link } from '../../base/router.js';
import { act } from '../editBar.js';
import { openMenu } from '../menu.js';
import { choose, kindsOf } from './kinds.js';
import { enteredKinds } from './kindEditor.js';
import { rounded, wrapped } from '../mapView.js';
import { kindNode } from './kindNode.js';

/** Views of kinds that are more than a line; each is loaded when it is shown. */
const views = {
    code: () => import('./code.js'),
    json: () => import('./json.js'),
    markdown: () => import('./markdown.js'),
    picture: () => import('./picture.js'),
    film: () => import('./media.js'),
    place: () => import('./place.js'),
    sound: () => import('./media.js'),
    track: () => import('./track.js'),
};
/** Kinds of which the line repeats what the field shows: only what it leads to is added. */
const repeated = ['json', 'markdown'];

/**
 * @param {any} context of the pane
 * @param {import('./kindNode.js').KindUse} use
 * @param {boolean} isEdited
 */
export function kindLine(context, use, isEdited) {
    const { store, id, entity } = context;
    const reading = use.reading;
    // A field of the kind shows the text itself.
    const isShown = repeated.includes(use.kind) || (isEdited && enteredKinds.includes(use.kind));
    const more = h('div');
    const line = h('div.kindline', {},
        reading && (!isShown || reading.problem) && kindNode(reading),
        reading?.place && h('a', { href: mapLink(store.id, entity.name, use) }, t('kinds.onMap')),
        reading?.text && button(t('kinds.copy'), () => act(() => navigator.clipboard.writeText(reading.text)),
            { class: 'small', 'aria-label': `${t('kinds.copy')}: ${use.key}` }),
        reading?.link && button('QR', async () => (await import('./codePicture.js')).showCode(reading.link),
            { class: 'small', 'aria-haspopup': 'dialog', 'aria-label': `${t('kinds.code.shown')}: ${use.key}` }),
        menuButton(context, use));
    if (views[use.kind]) {
        views[use.kind]().then(async (module) => fill(more, await module.view(context, use, isEdited))).catch(() => {});
    }
    return h('div.kind', { data: { kind: use.kind, of: `${id}.${use.key}` } }, line, more);
}

/** The name of the kind, which opens the kinds that the attribute may have. */
function menuButton(context, use) {
    const isNone = use.kind === 'none';
    const anchor = button(isNone ? t('kinds.none') : t(`kinds.name.${use.kind}`), async () => {
        const { possible, choices } = await act(() => kindsOf(context.store.id, context.entity.name)) ?? {};
        const take = (kind) => act(async () => {
            await choose(context.store.id, context.entity.name, use.key, kind);
            await context.again();
        });
        openMenu(anchor, [
            ...(possible?.[use.key] ?? []).map((kind) => ({ text: t(`kinds.name.${kind}`), checked: kind === use.kind,
                do: () => take(kind) })),
            { text: t('kinds.none'), checked: isNone, do: () => take('none') },
            ...(choices?.[use.key] ? [{ text: t('kinds.forget'), do: () => take(null) }] : []),
        ]);
    }, { class: 'small plain kindname', 'aria-haspopup': 'menu', data: { field: `kind ${use.key}` },
        title: t(`kinds.origin.${use.origin}`) });
    return anchor;
}

/**
 * The address of the map around a place.
 * @param {string} store @param {string} entity @param {import('./kindNode.js').KindUse} use
 */
function mapLink(store, entity, use) {
    const [latitude, longitude] = use.reading?.place ?? [0, 0];
    const box = [wrapped(longitude - 0.5), Math.max(latitude - 0.25, -90), wrapped(longitude + 0.5),
        Math.min(latitude + 0.25, 90)].map(rounded).join(',');
    const query = new URLSearchParams({ entity, box, ...(use.others.longitude ? { latitude: use.key } : {}) });
    return link(`/stores/${store}/map?${query}`);
}
