/** A way in GPX or GeoJSON: its lines on a small map, its length and its points. */
import { h, stored } from '../../base/dom.js';
import { needStyle } from '../../base/download.js';
import { number, t } from '../../base/i18n.js';
import { serverText } from '../../base/serverTexts.js';
import { MapBase, svg } from '../mapBase.js';
import { MapView } from '../mapView.js';

/** @param {any} context @param {import('./kindNode.js').KindUse & {content?: any}} use */
export async function view(context, use) {
    const { content } = use;
    if (!content) return null;
    if (content.problem) return h('p.problem', {}, stored(serverText(content.problem)));
    await needStyle('map');
    const points = [...content.lines.flat(), ...content.places];
    return [h('p.dim', {}, content.name && [stored(content.name), ' · '],
        t('kinds.track', { count: content.points, length: number(Math.round(content.length / 100) / 10) })),
        points.length > 0 && drawing(content, points)];
}

function drawing({ lines, places }, points) {
    const [view, base] = [new MapView(), new MapBase()];
    // The side of the date line on which a way begins, so that one across it stays together.
    const first = points[0][0];
    const near = (x) => x - 360 * Math.round((x - first) / 360);
    const [xs, ys] = [points.map(([x]) => near(x)), points.map(([, y]) => y)];
    const [west, east] = [Math.min(...xs), Math.max(...xs)];
    view.show([view.wrap(west), Math.min(...ys), view.wrap(east), Math.max(...ys)], 1.3);
    base.draw(view);
    const middle = view.longitude;
    const at = ([x, y]) => `${x - 360 * Math.round((x - middle) / 360)} ${-y}`;
    base.element.append(svg('path', { class: 'trackline',
        d: lines.map((line) => `M${line.map(at).join('L')}`).join('') }));
    return h('div.map.smallmap', { dir: 'ltr', role: 'img', 'aria-label': t('kinds.trackOnMap') }, base.element,
        places.map(([x, y]) => h('i.mappoint', { vars: view.place(x, y) })));
}
