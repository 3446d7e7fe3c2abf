/**
 * A map that the page draws itself: land, meridians and parallels, each degree as wide as every other. It stands in for
 * Leaflet where that is not installed.
 */
import { h, fill } from '../base/dom.js';
import { number } from '../base/i18n.js';
import { MapBase } from './mapBase.js';
import { MapView } from './mapView.js';

export class DrawnMap {
    /**
     * @param {() => void} turned is called when a person has moved or zoomed the map
     * @param {Record<string, any>} props
     */
    constructor(turned, props) {
        this.turned = turned;
        this.view = new MapView();
        this.base = new MapBase();
        this.points = h('div.mappoints', { role: 'list', 'aria-label': props.points });
        this.labels = h('div.maplabels', { 'aria-hidden': 'true' });
        // Places of the earth do not turn around with the direction of texts.
        this.element = h('div.map', { dir: 'ltr', tabindex: '0', role: 'group', 'aria-label': props.label },
            this.base.element, this.labels, this.points);
        this.shown = [];
        this.listen();
    }

    /** West, south, east and north of what is in sight. */
    get box() { return this.view.box; }

    show(box, room = 1) {
        this.view.show(box, room);
        this.draw();
    }

    /** Moves by parts of what is in sight. */
    move(right, up) { this.turn(() => this.view.move(right, up)); }

    zoom(factor, right = 0, up = 0) { this.turn(() => this.view.zoom(factor, right, up)); }

    turn(change) {
        change();
        this.draw();
        this.turned();
    }

    /** @param {{latitude: number, longitude: number, element: HTMLElement}[]} points */
    put(points) {
        this.shown = points;
        this.draw();
    }

    draw() {
        const { view } = this;
        this.base.draw(view);
        const { meridians, parallels } = view.lines;
        const label = (kind, text, vars) => h(`span.${kind}`, { vars }, text);
        fill(this.labels, meridians.map((m) => label('meridian', `${number(view.wrap(m))}°`, view.place(m, 0))),
            parallels.map((p) => label('parallel', `${number(p)}°`, view.place(0, p))));
        fill(this.points, this.shown.map((p) =>
            h('div.mappoint', { role: 'listitem', vars: view.place(p.longitude, p.latitude) }, p.element)));
    }

    listen() {
        const map = this.element;
        map.addEventListener('wheel', (event) => {
            event.preventDefault();
            const frame = map.getBoundingClientRect();
            this.zoom(event.deltaY < 0 ? 1.25 : 0.8, (event.clientX - frame.left) / frame.width - 0.5,
                0.5 - (event.clientY - frame.top) / frame.height);
        }, { passive: false });
        let last = null;
        map.addEventListener('pointerdown', (event) => {
            if (event.button !== 0 || (event.target instanceof Element && event.target.closest('a, button'))) return;
            last = [event.clientX, event.clientY];
            map.setPointerCapture(event.pointerId);
        });
        map.addEventListener('pointermove', (event) => {
            if (!last) return;
            const [x, y] = [event.clientX - last[0], event.clientY - last[1]];
            last = [event.clientX, event.clientY];
            this.move(-x / map.clientWidth, y / map.clientHeight);
        });
        for (const end of ['pointerup', 'pointercancel']) map.addEventListener(end, () => { last = null; });
    }
}
