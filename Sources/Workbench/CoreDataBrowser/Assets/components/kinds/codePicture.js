/** A text drawn as a code, of which the server finds the modules: pure black on white, whatever the page's colours. */
import { h } from '../../base/dom.js';
import { api } from '../../base/api.js';
import { t } from '../../base/i18n.js';
import { openDialog } from '../dialog.js';
import { act } from '../editBar.js';

/** @param {string} text @param {string} [type] one of Apple's identifiers, a QR code without it */
export async function codePicture(text, type) {
    const { width, height, path } = await api.post('/codes/writing', { text, ...(type ? { type } : {}) });
    const make = (tag, props, ...children) => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
        for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
        element.append(...children);
        return element;
    };
    return h('span.codepicture', { dir: 'ltr' }, make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
        'shape-rendering': 'crispEdges', 'aria-label': t('kinds.code.shown'), class: height < width ? 'bars' : '' },
    make('path', { fill: '#fff', d: `M0 0h${width}v${height}H0z` }), make('path', { fill: '#000', d: path })));
}

/** Shows a text as a QR code in a dialog. @param {string} text */
export const showCode = (text) => act(async () => {
    const picture = await codePicture(text);
    const body = h('div', {}, picture, h('p.dim', {}, h('bdi', {}, text)));
    return openDialog({ title: t('kinds.code.shown'), body });
});
