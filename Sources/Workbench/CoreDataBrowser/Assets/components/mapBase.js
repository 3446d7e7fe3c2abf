/** The drawing below the points of a map: land, meridians and parallels. */
import { root } from '../base/api.js';

export const svg = (tag, attributes = {}) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
};

let land = null;

/**
 * The outlines as rings of longitudes and latitudes; none where they cannot be had.
 * @returns {Promise<number[][][]>}
 */
export function landRings() {
    land ??= fetch(`${root}/assets/map/land.json`).then((r) => (r.ok ? r.json() : Promise.reject(new Error('no land'))))
        .then(({ scale, rings }) => rings.map((ring) => {
            let [x, y] = [0, 0];
            const points = [];
            for (let i = 0; i + 1 < ring.length; i += 2) {
                x += ring[i];
                y += ring[i + 1];
                points.push([x / scale, y / scale]);
            }
            return points;
        })).catch(() => { land = null; return []; });
    return land;
}

/** The outlines as one path in degrees. */
const landPath = async () => (await landRings())
    .map((ring) => `M${ring.map(([x, y]) => `${x} ${-y}`).join('L')}Z`).join('');

export class MapBase {
    constructor() {
        this.element = svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' });
        this.lines = svg('path', { class: 'graticule' });
        // The world goes on beyond the date line.
        this.lands = [-360, 0, 360].map((x) => svg('path', { class: 'land', transform: `translate(${x} 0)` }));
        this.element.append(...this.lands, this.lines);
        landPath().then((path) => this.lands.forEach((one) => one.setAttribute('d', path)));
    }

    draw(view) {
        const { meridians, parallels } = view.lines;
        const [left, right] = [view.longitude - view.span / 2, view.longitude + view.span / 2];
        this.element.setAttribute('viewBox', view.viewBox);
        this.lines.setAttribute('d',
            meridians.map((m) => `M${m} -90V90`).join('') + parallels.map((p) => `M${left} ${-p}H${right}`).join(''));
    }
}
