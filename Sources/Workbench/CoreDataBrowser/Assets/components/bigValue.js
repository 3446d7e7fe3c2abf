/** Large values: pictures, media, bytes as a hex view, decoded trees; asked when they are wanted. */
import { h, fill, button, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { base64 } from '../base/base64.js';
import { bytesText, valueNode } from '../base/format.js';
import { act } from './editBar.js';
import { fieldEditor } from './fieldEditor.js';

const [shownBytes, pieceSize, greatestMedia, greatestPicture] = [4096, 4 << 20, 500_000_000, 8_000_000];

/** Whether a value is bytes: data, or a transformed value that is shown as it is stored. */
export const holdsBytes = (attribute) => attribute.type === 'binary' || typeof attribute.bytes === 'number'
    || attribute.data === true;

export function bigValue(context, attribute, model, isEdited) {
    if (!holdsBytes(attribute)) {
        if (attribute.cut) return wholeText(context, attribute);
        return h('div', {}, treeOf(attribute.value), attribute.type === 'transformable' && storedTree(context,
            attribute), isEdited && attribute.type === 'composite' && fieldEditor(context, model, attribute.value));
    }
    const path = `${context.path}/values/${encodeURIComponent(attribute.name)}`;
    const place = h('div');
    const isNil = !attribute.bytes && attribute.bytes !== 0;
    // A picture is seen at once; who does not get it still has the button, which says why.
    if (attribute.media?.startsWith('image/') && attribute.bytes <= greatestPicture) {
        showBytes(place, path, attribute).catch(() => {});
    }
    return h('div', {}, h('div.control', {},
        isNil ? valueNode(null) : attribute.color && valueNode({ bytes: attribute.bytes, color: attribute.color }),
        !isNil && h('span', {}, bytesText(attribute.bytes)),
        !isNil && button(t('value.show'), () => act(() => showBytes(place, path, attribute)),
            { class: 'small', 'aria-label': `${t('value.show')}: ${attribute.name}` }),
        !isNil && button(t('value.download'), () => act(() => download(path, attribute.name)),
            { class: 'small', 'aria-label': `${t('value.download')}: ${attribute.name}` }),
        isEdited && upload(context, attribute, model)), place);
}

/** What is stored of a transformed value, as its archive says it. */
export function storedTree({ path }, attribute) {
    const place = h('div');
    return h('div', {}, button(t('value.decode'),
        () => act(() => showDecoded(place, `${path}/values/${encodeURIComponent(attribute.name)}`)),
        { class: 'small', 'aria-label': `${t('value.decode')}: ${attribute.name}` }), place);
}

/** The beginning of a long text, and the whole of it when it is wanted. */
function wholeText({ path }, attribute) {
    const place = h('div', {}, stored(`${attribute.text ?? attribute.value}…`), ' ');
    place.append(button(t('action.more'), () => act(async () => {
        const { bytes } = await api.bytes(`${path}/values/${encodeURIComponent(attribute.name)}`, 1_000_000);
        fill(place, stored(new TextDecoder().decode(bytes)));
    }), { class: 'small' }));
    return place;
}

/** Pictures, sounds and films as such, in pieces of ranges; of all else what it says, and its bytes. */
async function showBytes(place, path, attribute) {
    const { type } = await api.bytes(path, 1);
    const kind = type.split(';')[0];
    if (/^(image|audio|video)\//.test(kind) && attribute.bytes <= greatestMedia) {
        const url = URL.createObjectURL(await pieces(path, attribute.bytes, kind));
        const tag = kind.startsWith('image/') ? 'img' : kind.split('/')[0];
        return fill(place, h(tag, { src: url, class: 'picture', alt: attribute.name,
            controls: tag === 'img' ? null : true, on: { load: () => URL.revokeObjectURL(url) } }));
    }
    const decoded = h('div');
    fill(place, attribute.bytes > 0 && button(t('value.decode'), () => act(() => showDecoded(decoded, path)),
        { class: 'small', 'aria-label': `${t('value.decode')}: ${attribute.name}` }), decoded);
    // What is packed says nothing by its bytes.
    if (kind === 'application/octet-stream' && await isPacked(path, attribute.bytes)) await showDecoded(decoded, path);
    const view = h('div');
    place.append(view);
    return showHex(view, path, attribute.bytes, 0);
}

/** Whether bytes begin as gzip's form does. */
async function isPacked(path, count) {
    if (count < 18) return false;
    const { bytes } = await api.range(path, 0, 2);
    return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A value that is asked in ranges, so that neither side holds more of it than a piece. */
async function pieces(path, count, type) {
    const parts = [];
    for (let at = 0; at < count; at += pieceSize) {
        parts.push(new Blob([(await api.range(path, at, Math.min(count, at + pieceSize))).bytes]));
    }
    return new Blob(parts, { type });
}

async function showDecoded(place, path) {
    const reply = await api.get(`${path}/decoded`);
    fill(place, h('p.dim', {},
        typeof reply.unpacked === 'number' && `${t('value.unpacked', { size: bytesText(reply.unpacked) })} `,
        t(`value.kind.${reply.kind}`)),
        reply.kind === 'text' ? h('pre.hex', { tabindex: '0', dir: 'auto' },
            reply.value) : reply.kind !== 'unknown' && treeOf(reply.value),
        !reply.complete && h('p.dim', {}, t('value.treeCut')));
}

/** One page of bytes, with the way to the others. */
async function showHex(place, path, count, start) {
    const { bytes } = count ? await api.range(path, start, Math.min(count, start + shownBytes))
        : { bytes: new Uint8Array() };
    const to = (at) => act(() => showHex(place, path, count, at));
    const field = h('input', { type: 'text', inputmode: 'text', size: 10, 'aria-label': t('value.offset'),
        is: { value: `0x${start.toString(16)}` }, on: { change: () => {
            const at = Number(field.value);
            if (Number.isInteger(at) && at >= 0 && at < count) to(at - (at % 16));
        } } });
    fill(place, hexView(bytes, start), count > shownBytes && h('div.line', {}, button('‹',
        () => to(Math.max(0, start - shownBytes)), { disabled: start === 0, 'aria-label': t('value.bytesBefore') }),
        field,
        button('›', () => to(start + shownBytes),
            { disabled: start + shownBytes >= count, 'aria-label': t('value.bytesAfter') }),
        h('span.dim', {}, bytesText(count))));
}

/** Bytes in rows of sixteen, of which the first has a place in the whole. */
function hexView(bytes, start = 0) {
    const lines = [];
    for (let at = 0; at < bytes.length; at += 16) {
        const part = [...bytes.slice(at, at + 16)];
        const digits = part.map((b) => b.toString(16).padStart(2, '0')).join(' ');
        const characters = part.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : '·')).join('');
        lines.push(`${(start + at).toString(16).padStart(6, '0')}  ${digits.padEnd(47)}  ${characters}`);
    }
    return h('pre.hex', { tabindex: '0', dir: 'ltr', role: 'region', 'aria-label': t('value.hex') }, lines.join('\n'));
}

async function download(path, name) {
    const { bytes } = await api.bytes(path);
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function upload({ edits, id, reply }, attribute, model) {
    const use = reply.kinds?.find((k) => k.key === attribute.name && k.others?.thumbnail);
    const steps = async (blob) => (use ? (await import('./kinds/pictureEditor.js')).stepsOf(id, use, blob)
        : [{ do: 'set', object: id, key: attribute.name, value: blob && await base64(blob) }]);
    const stage = (blob) => act(async () => edits.stage(t('edits.setName', { name: attribute.name }),
        await steps(blob)));
    const file = h('input', { type: 'file', 'aria-label': `${t('value.upload')}: ${attribute.name}`,
        'data-field': attribute.name, on: { change: async () => {
            const chosen = file.files?.[0];
            if (chosen) stage(chosen);
        } } });
    return [file, model.optional && button('nil', () => stage(null),
        { class: 'small', 'aria-label': t('value.setNil', { name: attribute.name }) })];
}

/** A decoded value as a tree that opens level by level. */
export function treeOf(value, name = '') {
    const label = name !== '' && h('span.key', {}, stored(name), ': ');
    if (value === null || typeof value !== 'object') return h('div.tree', {}, label, valueNode(value));
    const entries = Array.isArray(value) ? value.map((v, i) => [String(i), v]) : Object.entries(value);
    const details = h('details.tree', { open: name === '' }, h('summary', {}, label,
        h('span.dim', {}, Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`)));
    const open = () => details.children.length === 1
        && details.append(...entries.slice(0, 500).map(([key, v]) => treeOf(v, key)));
    details.addEventListener('toggle', () => details.open && open());
    if (name === '') open();
    return details;
}
