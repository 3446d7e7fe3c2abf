/** Large values: pictures, media, bytes as a hex view, decoded trees; asked when they are wanted. */
import { h, fill, button, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { bytesText, valueNode } from '../base/format.js';
import { act } from './editBar.js';
import { fieldEditor } from './fieldEditor.js';

const shownBytes = 4096;

export function bigValue(context, attribute, model, isEdited) {
    if (attribute.type !== 'binary') {
        if (attribute.cut) return wholeText(context, attribute);
        return h('div', {}, treeOf(attribute.value), isEdited && attribute.type === 'composite' && fieldEditor(context, model, attribute.value));
    }
    const path = `${context.path}/values/${encodeURIComponent(attribute.name)}`;
    const place = h('div');
    const isNil = !attribute.bytes && attribute.bytes !== 0;
    return h('div', {}, h('div.control', {}, isNil ? valueNode(null) : h('span', {}, bytesText(attribute.bytes)),
        !isNil && button(t('value.show'), () => act(() => showBytes(place, path, attribute)), { class: 'small', 'aria-label': `${t('value.show')}: ${attribute.name}` }),
        !isNil && button(t('value.download'), () => act(() => download(path, attribute.name)), { class: 'small', 'aria-label': `${t('value.download')}: ${attribute.name}` }),
        isEdited && upload(context, attribute, model)), place);
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

async function showBytes(place, path, attribute) {
    const { bytes, type } = await api.bytes(path, attribute.bytes > 20_000_000 ? shownBytes : 0);
    const kind = type.split(';')[0];
    if (/^(image|audio|video)\//.test(kind)) {
        const url = URL.createObjectURL(new Blob([bytes], { type: kind }));
        const tag = kind.startsWith('image/') ? 'img' : kind.split('/')[0];
        fill(place, h(tag, { src: url, class: 'picture', alt: attribute.name, controls: tag === 'img' ? null : true, on: { load: () => URL.revokeObjectURL(url) } }));
    } else fill(place, hexView(bytes));
}

/** Bytes in rows of sixteen. */
export function hexView(bytes) {
    const lines = [];
    for (let at = 0; at < Math.min(bytes.length, shownBytes); at += 16) {
        const part = [...bytes.slice(at, at + 16)];
        lines.push(`${at.toString(16).padStart(6, '0')}  ${part.map((b) => b.toString(16).padStart(2, '0')).join(' ').padEnd(47)}  ${part.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : '·')).join('')}`);
    }
    if (bytes.length > shownBytes) lines.push(t('value.firstBytes', { count: shownBytes }));
    return h('pre.hex', { tabindex: '0', dir: 'ltr', role: 'region', 'aria-label': t('value.hex') }, lines.join('\n'));
}

async function download(path, name) {
    const { bytes } = await api.bytes(path);
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function upload({ edits, id }, attribute, model) {
    const stage = (value) => act(() => edits.stage(t('edits.setName', { name: attribute.name }), [{ do: 'set', object: id, key: attribute.name, value }]));
    const file = h('input', { type: 'file', 'aria-label': `${t('value.upload')}: ${attribute.name}`, 'data-field': attribute.name, on: { change: async () => {
        const chosen = file.files?.[0];
        if (chosen) stage(await base64(chosen));
    } } });
    return [file, model.optional && button('nil', () => stage(null), { class: 'small', 'aria-label': t('value.setNil', { name: attribute.name }) })];
}

const base64 = (blob) => new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
});

/** A decoded value as a tree that opens level by level. */
export function treeOf(value, name = '') {
    const label = name !== '' && h('span.key', {}, stored(name), ': ');
    if (value === null || typeof value !== 'object') return h('div.tree', {}, label, valueNode(value));
    const entries = Array.isArray(value) ? value.map((v, i) => [String(i), v]) : Object.entries(value);
    const details = h('details.tree', { open: name === '' }, h('summary', {}, label, h('span.dim', {}, Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`)));
    const open = () => details.children.length === 1 && details.append(...entries.slice(0, 500).map(([key, v]) => treeOf(v, key)));
    details.addEventListener('toggle', () => details.open && open());
    if (name === '') open();
    return details;
}
