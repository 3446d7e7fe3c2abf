/** The lines of a diagram: one for each relationship with its inverse, one for each entity that inherits. */

/** Makes an element of SVG. */
export function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children.flat(Infinity).filter(Boolean));
    return element;
}

/**
 * @typedef {{kind: string, from: string, to: string, items: string[], there: string, back: string, isMany: boolean,
 *     backMany: boolean, number: number, count: number}} Edge
 */

/** The edges of a model; those between the same two boxes are numbered. @returns {Edge[]} */
export function edges(session) {
    const [found, done] = [[], new Set()];
    for (const entity of session.of('entity')) {
        if (session.items.has(entity.values.parent)) {
            found.push({ kind: 'inherits',
                from: entity.item, to: entity.values.parent, items: [], there: '', back: '' });
        }
        for (const one of entity.parts.filter((p) => p.kind === 'relationship')) {
            const { destination, inverse } = one.values;
            if (done.has(one.item) || !session.items.has(destination)) continue;
            const back = session.properties(destination).find((p) => p.name === inverse && p.kind === 'relationship');
            done.add(one.item);
            if (back) done.add(back.item);
            found.push({ kind: back ? 'pair' : 'single', from: entity.item, to: destination,
                items: [one.item, back?.item].filter(Boolean), there: one.name, back: back?.name ?? '',
                isMany: one.values['to-many'] === 'YES', backMany: back?.values['to-many'] === 'YES' });
        }
    }
    const groups = new Map();
    for (const edge of found) {
        const key = [edge.from, edge.to].sort().join('\n');
        groups.set(key, [...(groups.get(key) ?? []), edge]);
    }
    for (const group of groups.values()) {
        group.forEach((edge, number) => Object.assign(edge, { number, count: group.length }));
    }
    return found;
}

/** What names the way of an edge among those that the server found. */
export const wayKey = ({ kind, items, from, to }) =>
    (kind === 'inherits' || !items ? `${from} : ${to}` : [...items].sort().join('\n'));

/** The way of an edge around the boxes, as the server found it, from its own start; nothing where there is none. */
export function wayOf(edge, way) {
    if (!way) return null;
    const points = Array.from({ length: way.points.length / 2 },
        (_, i) => ({ x: way.points[2 * i], y: way.points[2 * i + 1] }));
    const isTurned = edge.items.length > 0 && edge.items[0] !== way.items?.[0];
    return { points: isTurned ? points.reverse() : points,
        labels: isTurned ? [...way.labels].reverse() : way.labels ?? [] };
}

/**
 * The elements of an edge between two boxes: its lines, which lie below the boxes, and its ends and names, which lie
 * above them.
 */
export function linesOf(edge, from, to) {
    const points = edge.way?.points ?? (edge.from === edge.to ? loop(edge, from) : curve(edge, from, to));
    const [start, end] = [points[0], points.at(-1)];
    const path = `M${xy(start)} C${points.slice(1).map(xy).join(' ')}`;
    const lines = [svg('path', { class: 'hit', d: path }), svg('path', { class: 'way', d: path })];
    if (edge.items[0]) for (const part of lines) part.dataset.line = edge.items[0];
    const [first, second] = [besides(start, points.slice(1)), besides(end, points.slice(0, -1).reverse())];
    if (edge.kind === 'inherits') return { lines, marks: [head(end, second, 'parent', 0, 13, 7)] };
    const marks = [...heads(end, second, edge.isMany), label(edge.there, points, 0.78, edge.way?.labels[0])];
    if (edge.back) {
        marks.push(...heads(start, first, edge.backMany), label(edge.back, points, 0.22, edge.way?.labels[1]));
    }
    return { lines, marks };
}

/** The next point that is not the same, which says from where a line comes. */
const besides = (tip, others) => others.find((p) => Math.hypot(p.x - tip.x, p.y - tip.y) > 1) ?? others[0];

const xy = ({ x, y }) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;

/** A curve from border to border, beside the others between the same boxes. */
function curve(edge, from, to) {
    const shift = (edge.number - (edge.count - 1) / 2) * 36 * (edge.from < edge.to ? 1 : -1);
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [nx, ny] = [-(to.y - from.y) / length, (to.x - from.x) / length];
    const middle = { x: (from.x + to.x) / 2 + nx * shift, y: (from.y + to.y) / 2 + ny * shift };
    const [start, end] = [border(from, middle), border(to, middle)];
    const toward = (a, b, share) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
    return [start, toward(start, middle, 0.66), toward(end, middle, 0.66), end];
}

/** From the right side to the top of the same box. */
function loop(edge, box) {
    const out = 40 + edge.number * 22;
    const start = { x: box.x + box.width / 2, y: box.y - box.height / 2 + 14 };
    const end = { x: box.x + box.width / 2 - 24 - edge.number * 14, y: box.y - box.height / 2 };
    return [start, { x: start.x + out, y: start.y }, { x: end.x, y: end.y - out }, end];
}

/** Where the way from the middle of a box to a point leaves the box. */
function border(box, point) {
    const [dx, dy] = [point.x - box.x, point.y - box.y];
    if (!dx && !dy) return { x: box.x, y: box.y };
    const share = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity);
    return { x: box.x + dx * share, y: box.y + dy * share };
}

const heads = (tip, from, isMany) => [head(tip, from, 'many', 0, 10, 4.5),
    ...(isMany ? [head(tip, from, 'many', 8, 10, 4.5)] : [])];

function head(tip, from, kind, at, length, width) {
    const size = Math.hypot(from.x - tip.x, from.y - tip.y) || 1;
    const [ux, uy] = [(from.x - tip.x) / size, (from.y - tip.y) / size];
    const point = (along, across) =>
        `${xy({ x: tip.x + ux * along - uy * across, y: tip.y + uy * along + ux * across })}`;
    return svg('polygon', { class: `head-${kind}`,
        points: `${point(at, 0)} ${point(at + length, width)} ${point(at + length, -width)}` });
}

function label(text, points, share, place) {
    const [p0, p1, p2, p3] = points;
    const a = 1 - share;
    const at = (k) => a ** 3 * p0[k] + 3 * a * a * share * p1[k] + 3 * a * share * share * p2[k] + share ** 3 * p3[k];
    const made = svg('text', { class: 'label', x: Math.round(place ? place[0] : at('x')),
        y: Math.round(place ? place[1] : at('y') - 4) });
    made.textContent = text;
    return made;
}
