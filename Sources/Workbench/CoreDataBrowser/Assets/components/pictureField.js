/** A picture or other bytes: chosen, dropped or pasted; what was stored is kept until there is another. */
import { h, fill, button } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { base64 } from '../base/base64.js';
import { api, address } from '../base/api.js';
import { bytesText } from '../base/format.js';

export function pictureField(row, value, id) {
    let current = value;
    const shown = h('span.dim');
    const file = h('input', { type: 'file', id, accept: row.kind === 'image' ? 'image/*' : null });
    const show = () => {
        if (typeof current === 'string' && row.kind === 'image') {
            const url = URL.createObjectURL(new Blob([Uint8Array.from(atob(current), (c) => c.charCodeAt(0))]));
            fill(shown, h('img', { src: url, class: 'thumbnail', alt: row.label, on: {
                load: () => URL.revokeObjectURL(url),
                error: () => { URL.revokeObjectURL(url); fill(shown, size()); },
            } }));
        } else fill(shown, size());
    };
    const size = () => (current === null ? 'nil'
        : bytesText(typeof current === 'string' ? Math.floor(current.length * 0.75) : current.bytes));
    const take = async (blob) => {
        if (!blob) return;
        current = await base64(blob);
        show();
        file.dispatchEvent(new Event('change'));
    };
    show();
    // The file is read before the field counts as changed.
    file.addEventListener('change', (e) => {
        if (!e.isTrusted) return;
        e.stopImmediatePropagation();
        take(file.files?.[0]);
    });
    const element = h('div.picturefield',
        { tabindex: '0', role: 'group', 'aria-label': `${row.label}: ${t('app.dropOrPaste')}` }, shown, file,
        row.optional
            && button(t('picker.clear'), () => { current = null; show(); file.dispatchEvent(new Event('change')); },
                { class: 'small', 'aria-label': `${t('picker.clear')}: ${row.label}` }),
        h('span.dim', {}, t('app.dropOrPaste')));
    element.addEventListener('dragover', (e) => { e.preventDefault(); element.classList.add('over'); });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop',
        (e) => { e.preventDefault(); element.classList.remove('over'); take(e.dataTransfer.files[0]); });
    element.addEventListener('paste',
        (e) => { if (e.clipboardData.files.length) { e.preventDefault(); take(e.clipboardData.files[0]); } });
    return { control: file, element, read: () => current, set: (v) => { current = v === '' ? null : v; show(); } };
}

/** The picture of a row that is read; other bytes by their size. */
export function picture(app, reply, row) {
    const place = h('span.dim', {}, typeof row.value?.bytes === 'number' ? bytesText(row.value.bytes) : row.text ?? '');
    if (row.value === null) return place;
    api.bytes(address(['stores', app.store, 'objects', ...reply.id.split('/'), 'values', row.key]))
        .then(({ bytes, type }) => {
            if (!type.startsWith('image/')) return;
            const url = URL.createObjectURL(new Blob([bytes], { type }));
            fill(place,
                h('img', { src: url, class: 'picture', alt: row.label, on: { load: () => URL.revokeObjectURL(url) } }));
        }, () => {});
    return place;
}
