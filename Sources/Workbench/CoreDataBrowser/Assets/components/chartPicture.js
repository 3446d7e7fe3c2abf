/**
 * Shows a drawing of the server: only elements and attributes of charts are taken over, none that could do anything.
 */
const space = 'http://www.w3.org/2000/svg';
const elements = new Set(['svg', 'title', 'desc', 'g', 'rect', 'line', 'path', 'circle', 'text']);
const attributes = new Set(['viewBox', 'role', 'direction', 'aria-labelledby', 'id', 'class', 'x', 'y', 'x1', 'y1',
    'x2', 'y2', 'cx', 'cy', 'r', 'd', 'width', 'height', 'text-anchor', 'transform', 'stroke-dasharray']);

/** @param {string} text an SVG document @returns {SVGElement | null} null for another document than a drawing */
export function chartPicture(text) {
    // The page has the chart's style sheet; one in the drawing is against the page's policy even where it is not shown.
    const plain = text.replace(/<style>[^<]*<\/style>/, '');
    const root = new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement;
    return root.namespaceURI === space && root.localName === 'svg' ? copy(root) : null;
}

function copy(from) {
    const to = document.createElementNS(space, from.localName);
    for (const { name, value } of from.attributes) if (attributes.has(name)) to.setAttribute(name, value);
    for (const node of from.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
        else if (node.nodeType === Node.ELEMENT_NODE && elements.has(node.localName)) to.append(copy(node));
    }
    return to;
}
