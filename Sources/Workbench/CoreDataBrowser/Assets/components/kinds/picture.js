/** A picture: shown where the browser cannot show its type itself, what it says of its making, and taking another. */
import { h, fill } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { api } from '../../base/api.js';
import { needStyle } from '../../base/download.js';
import { serverText } from '../../base/serverTexts.js';
import { timeNode } from '../../base/format.js';

/** What `bigValue` shows as it is. */
const greatest = 8_000_000;

/** @param {any} context @param {import('./kindNode.js').KindUse} use @param {boolean} isEdited */
export async function view(context, use, isEdited) {
    await needStyle('picture');
    const attribute = context.reply.attributes.find((a) => a.name === use.key);
    const path = `${context.path}/values/${encodeURIComponent(use.key)}`;
    const isThere = attribute?.bytes > 0 && use.reading && !use.reading.problem;
    const details = h('p.picturedetails.dim');
    if (isThere) describe(details, path).catch(() => {});
    const isShown = attribute?.media?.startsWith('image/') && attribute.bytes <= greatest;
    const editor = isEdited
        && (await import('./pictureEditor.js')).editor(context, use, isThere && { path, attribute });
    return [isThere ? !isShown && shown(path, use) : standIn(context, use), isThere && details, editor];
}

/** The thumbnail of a picture that is not here, as it is before its bytes have come from another device. */
function standIn(context, use) {
    const key = use.others?.thumbnail;
    const attribute = key && context.reply.attributes.find((a) => a.name === key);
    if (!(attribute?.bytes > 0)) return null;
    const path = `${context.path}/values/${encodeURIComponent(key)}`;
    return h('figure.picturestandin', { data: { thumbnail: key } },
        shown(path, { key, reading: null }), h('figcaption.dim', {}, t('kinds.picture.notHere')));
}

/** The picture as the server makes it viewable; a tile with the reason where it cannot. */
function shown(path, use) {
    const place = h('div');
    api.blob(`${path}/thumbnail?size=1024`).then((blob) => {
        const url = URL.createObjectURL(blob);
        fill(place, h('img.picture', { src: url, alt: use.reading?.text ?? use.key,
            on: { load: () => URL.revokeObjectURL(url) } }));
    }, (error) => fill(place, h('div.picturetile', { role: 'img', 'aria-label': error.message }, error.message)));
    return place;
}

/** When, with what and where it was taken. */
async function describe(place, path) {
    const found = await api.get(`${path}/picture`);
    const parts = [found.instant ? timeNode(found.instant) : found.taken && h('time', { dir: 'ltr' }, found.taken),
        found.camera && h('bdi', {}, found.camera), found.lens && h('bdi', {}, found.lens),
        found.place && h('a', { href: `geo:${found.place.join(',')}` },
            found.place.map((n) => n.toFixed(5)).join(', ')),
        found.problem && h('span', {}, `${serverText(found.problem)} (${serverText(found.hint ?? '')})`),
    ].filter(Boolean);
    fill(place, parts.flatMap((part, index) => (index ? [' · ', part] : [part])));
    place.hidden = parts.length === 0;
    if (found.taken) place.title = t('kinds.picture.taken');
}
