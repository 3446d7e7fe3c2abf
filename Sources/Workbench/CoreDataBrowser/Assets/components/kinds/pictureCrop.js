/** A picture on a canvas: a part of it, made smaller, with the day in a band. Unchanged, its bytes stay. */
import { h } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { shownDate } from '../../base/format.js';
import { needStyle } from '../../base/download.js';
import { openDialog } from '../dialog.js';
import { canvasOf, encoded, scaled, stamp } from './pictureCanvas.js';

const sides = [4096, 2048, 1024, 512, 256];

/**
 * Shows a picture to be cropped, scaled and dated.
 * @param {Blob} blob @param {Date} taken when it was taken, for the band
 * @returns {Promise<Blob | null>} the same blob where nothing was changed; null where it was given up
 */
export async function edited(blob, taken = new Date()) {
    await needStyle('picture');
    const picture = await createImageBitmap(blob);
    const { width, height } = picture;
    /** The part, in pixels of the picture. */
    const part = { x: 0, y: 0, width, height };
    const view = canvasOf(picture, ...scaled(width, height, 560));
    view.className = 'cropview';
    const factor = view.width / width;
    const frame = h('div.cropframe');
    const fields = Object.fromEntries(['x', 'y', 'width', 'height'].map((name) => [name, h('input.narrow', {
        type: 'number', min: 0, step: 1, 'aria-label': t(`kinds.picture.${name}`), data: { field: `crop ${name}` },
        is: { value: String(part[name]) }, on: { change: () => set({ ...part, [name]: Number(fields[name].value) }) },
    })]));
    const side = h('select', { 'aria-label': t('kinds.picture.size'), data: { field: 'size' } },
        h('option', { value: '' }, t('kinds.picture.full')),
        sides.filter((s) => s < Math.max(width, height)).map((s) => h('option', { value: s }, `${s}`)));
    const dated = h('input', { type: 'checkbox', data: { field: 'date band' } });
    const set = (wanted) => {
        part.x = bounded(wanted.x, 0, width - 1);
        part.y = bounded(wanted.y, 0, height - 1);
        part.width = bounded(wanted.width, 1, width - part.x);
        part.height = bounded(wanted.height, 1, height - part.y);
        for (const [name, field] of Object.entries(fields)) field.value = String(part[name]);
        for (const [name, value] of Object.entries(part)) frame.style.setProperty(`--${name}`, `${value * factor}px`);
    };
    set(part);
    const stage = h('div.cropstage', { dir: 'ltr' }, view, frame);
    dragging(stage, view, factor, set);
    const isUsed = await openDialog({ title: t('kinds.picture.crop'), wide: true,
        body: h('div', {}, stage, h('div.line', {}, Object.values(fields), side,
            h('label', {}, dated, ' ', t('kinds.picture.dateBand')))),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('kinds.picture.use'), class: 'primary', do: (close) => close(true) }] });
    if (!isUsed) return null;
    const isWhole = part.x === 0 && part.y === 0 && part.width === width && part.height === height;
    if (isWhole && !side.value && !dated.checked) return blob;
    const [w, h2] = side.value ? scaled(part.width, part.height, Number(side.value)) : [part.width, part.height];
    const canvas = canvasOf(picture, w, h2, part);
    if (dated.checked) stamp(canvas, t('kinds.picture.takenOn', { date: shownDate(taken.toISOString()) }));
    return encoded(canvas, blob.type === 'image/png' ? 'image/png' : 'image/jpeg');
}

const bounded = (value, least, greatest) => Math.min(Math.max(Math.round(value) || 0, least), greatest);

/** Draws the part by the pointer. */
function dragging(stage, view, factor, set) {
    let start = null;
    const at = (e) => {
        const box = view.getBoundingClientRect();
        const scale = (view.width / box.width) / factor;
        return [(e.clientX - box.left) * scale, (e.clientY - box.top) * scale];
    };
    stage.addEventListener('pointerdown', (e) => {
        e.preventDefault();
        start = at(e);
        stage.setPointerCapture(e.pointerId);
    });
    stage.addEventListener('pointermove', (e) => {
        if (!start) return;
        const [x, y] = at(e);
        set({ x: Math.min(start[0], x), y: Math.min(start[1], y), width: Math.abs(x - start[0]),
            height: Math.abs(y - start[1]) });
    });
    stage.addEventListener('pointerup', () => { start = null; });
    stage.addEventListener('pointercancel', () => { start = null; });
}
