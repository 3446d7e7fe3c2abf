/** A diagram as a file: SVG that any program shows, or PNG. */
import { h } from '../base/dom.js';
import { svg } from './diagramLines.js';

const font = 'Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';

/** What the style sheet says on the page, as attributes, which a file has without the page. */
const looks = {
    body: { fill: '#f7f9fc', stroke: '#5b6b82' }, head: { fill: '#dce6f5', stroke: '#5b6b82' },
    name: { 'font-size': 14, 'font-weight': 'bold', 'text-anchor': 'middle', fill: '#1c2430' },
    row: { 'font-size': 12, fill: '#1c2430' }, type: { 'font-size': 12, fill: '#5a6675' }, label: { 'font-size': 11,
        'text-anchor': 'middle', fill: '#2d4a7c', stroke: '#ffffff', 'stroke-width': 3, 'paint-order': 'stroke' },
    way: { fill: 'none', stroke: '#4a6596', 'stroke-width': 1.3 }, 'head-many': { fill: '#4a6596' },
    'head-parent': { fill: '#ffffff', stroke: '#7a7f87' },
};

/** The text of the drawing. */
export function pictureText(diagram) {
    const { x, y, width, height } = diagram.frame;
    const copy = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', width: Math.ceil(width), height: Math.ceil(height),
        viewBox: `${x} ${y} ${width} ${height}`, 'font-family': font },
        svg('rect', { x, y, width, height, fill: '#ffffff' }), diagram.lines.cloneNode(true),
        diagram.nodes.cloneNode(true), diagram.marks.cloneNode(true));
    for (const name of copy.querySelectorAll('.name')) {
        name.replaceChildren(name.textContent);
        name.removeAttribute('style');
        name.setAttribute('y', '19');
    }
    for (const hit of copy.querySelectorAll('.hit')) hit.remove();
    for (const line of copy.querySelectorAll('.single .way')) line.setAttribute('stroke-dasharray', '6 4');
    for (const box of copy.querySelectorAll('.abstract .body')) box.setAttribute('stroke-dasharray', '5 3');
    for (const element of copy.querySelectorAll('*')) {
        for (const [name, value] of Object.entries(looks[element.getAttribute('class')] ?? {})) {
            element.setAttribute(name, value);
        }
        for (const name of ['tabindex', 'role', 'aria-pressed', 'data-box', 'data-line']) element.removeAttribute(name);
    }
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Saves the drawing. @param {'svg' | 'png'} form */
export async function savePicture(diagram, form) {
    const text = new Blob([pictureText(diagram)], { type: 'image/svg+xml' });
    const blob = form === 'svg' ? text : await raster(text, diagram.frame);
    const link = h('a', { href: URL.createObjectURL(blob), download: `${diagram.session.version || 'model'}.${form}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Pixels of a drawing; twice as many as points, as far as a canvas can have them. */
export async function raster(blob, { width, height }) {
    const url = URL.createObjectURL(blob);
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const scale = Math.min(2, 8000 / Math.max(width, height));
        const canvas = Object.assign(document.createElement('canvas'),
            { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
        canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error('PNG'))),
            'image/png'));
    } finally {
        URL.revokeObjectURL(url);
    }
}
