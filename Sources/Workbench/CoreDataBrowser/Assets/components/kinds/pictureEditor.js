/** Another picture for an attribute: dropped, pasted or photographed, and the one that is there cropped or scaled. */
import { h, button } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { base64 } from '../../base/base64.js';
import { api } from '../../base/api.js';
import { act } from '../editBar.js';
import { canvasOf, encoded, scaled } from './pictureCanvas.js';

/** What is drawn on a canvas as it is stored; other types are asked as thumbnails. */
const drawn = /^image\/(png|jpeg|gif|webp|avif)$/;

/**
 * @param {any} context of the pane @param {import('./kindNode.js').KindUse} use
 * @param {{path: string, attribute: any} | false | undefined} current the picture that is there
 */
export function editor(context, use, current) {
    const { edits, id } = context;
    const stage = (blob) => act(async () => edits.stage(t('edits.setName', { name: use.key }),
        await stepsOf(id, use, blob)));
    const problem = h('span.fieldproblem', { role: 'alert' });
    const take = (file) => {
        const isPicture = file?.type.startsWith('image/') && file.type !== 'image/svg+xml';
        problem.textContent = isPicture ? '' : t('kinds.picture.none');
        return isPicture ? stage(file) : null;
    };
    const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);
    const label = (text) => ({ class: 'small', 'aria-label': `${text}: ${use.key}` });
    const zone = h('div.picturedrop', { tabindex: '0', role: 'group', data: { drop: use.key },
        'aria-label': `${use.key}: ${t('kinds.picture.drop')}` },
        hasCamera && button(t('kinds.picture.photograph'), () => act(async () => {
            const blob = await (await import('./pictureCamera.js')).photograph();
            if (blob) await stage(blob);
        }), label(t('kinds.picture.photograph'))),
        current && button(t('kinds.picture.crop'), () => act(async () => {
            const blob = await (await import('./pictureCrop.js')).edited(await source(current));
            if (blob) await stage(blob);
        }), label(t('kinds.picture.crop'))),
        h('span.dim', {}, t('kinds.picture.drop')), problem);
    zone.addEventListener('dragover', (e) => { e.preventDefault(); zone.classList.add('over'); });
    zone.addEventListener('dragleave', () => zone.classList.remove('over'));
    zone.addEventListener('drop', (e) => {
        e.preventDefault();
        zone.classList.remove('over');
        take(e.dataTransfer?.files[0]);
    });
    zone.addEventListener('paste', (e) => {
        const file = e.clipboardData?.files[0];
        if (!file) return;
        e.preventDefault();
        take(file);
    });
    return zone;
}

/**
 * The edits by which an object has another picture, or none, and the thumbnail that its kind names with it.
 * @param {string} id @param {{key: string, others?: Record<string, string>}} use @param {?Blob} blob
 */
export async function stepsOf(id, use, blob) {
    const steps = [{ do: 'set', object: id, key: use.key, value: blob && await base64(blob) }];
    const thumbnail = use.others?.thumbnail;
    if (thumbnail) steps.push({ do: 'set', object: id, key: thumbnail, value: blob && await small(blob) });
    return steps;
}

/** The bytes to draw: those that are stored, or a large thumbnail of a type that browsers do not show. */
async function source({ path, attribute }) {
    if (drawn.test(attribute.media ?? '')) {
        const { bytes, type } = await api.bytes(path);
        return new Blob([bytes], { type: type.split(';')[0] });
    }
    return api.blob(`${path}/thumbnail?size=2048`);
}

/** The longer side of a thumbnail that is stored with its object: small enough to travel with it in sync. */
const thumbnailSide = 256;

/** A small picture of one, in base64; null for a type that the browser cannot decode, of which none is stored. */
async function small(blob) {
    const picture = await createImageBitmap(blob).catch(() => null);
    if (!picture) return null;
    const canvas = canvasOf(picture, ...scaled(picture.width, picture.height, thumbnailSide));
    picture.close();
    return base64(await encoded(canvas));
}
