/** A map by Leaflet, on land that the page draws and on tiles of the person's own; see `libjs-leaflet` of Debian. */
import { h } from '../base/dom.js';
import { root } from '../base/api.js';
import { landRings } from './mapBase.js';
import { rounded, wrapped } from './mapView.js';

/** @typedef {{id: string, name: string, minZoom: number, maxZoom: number, attribution: string}} Tiles */

/** Leaflet; null where it is not installed. @type {Promise<any> | null} */
let library = null;

/** Loads Leaflet with its styles; null where it is not installed. */
export function loadLeaflet() {
    library ??= import(`${root}/assets/leaflet/leaflet.esm.min.js`).then((module) => new Promise((done) => {
        const sheet = h('link', { rel: 'stylesheet', href: `${root}/assets/leaflet/leaflet.css`,
            on: { load: () => done(module), error: () => done(module) } });
        document.head.append(sheet);
    })).catch(() => null);
    return library;
}

/** Where Mercator's projection ends. */
const northmost = 85.05;

export class LeafletMap {
    /** @param {any} L @param {() => void} turned @param {Record<string, any>} props */
    constructor(L, turned, props) {
        this.L = L;
        this.turned = turned;
        this.place = h('div.leafletplace');
        this.element = h('div.map.leafletmap', { dir: 'ltr', tabindex: '0', role: 'group', 'aria-label': props.label },
            this.place);
        this.map = L.map(this.place, { keyboard: false, zoomControl: false, zoomSnap: 0.25, worldCopyJump: true,
            attributionControl: false, minZoom: 0, maxZoom: 19, zoomAnimation: false, fadeAnimation: false });
        this.map.setView([0, 0], 1);
        this.markers = L.layerGroup().addTo(this.map);
        const pane = this.map.getPane('markerPane');
        pane.setAttribute('role', 'list');
        pane.setAttribute('aria-label', props.points);
        this.isShowing = false;
        /**
         * What is to be in sight whatever size the map has; null once a person has turned it.
         * @type {?{box: number[], room: number}}
         */
        this.wanted = null;
        // What the page shows is no turn of the person's.
        this.map.on('moveend', () => {
            if (this.isShowing) return;
            this.wanted = null;
            this.turned();
        });
        landRings().then((rings) => this.drawLand(rings));
        // The size is known when the element is in the page: only then the box fits.
        new ResizeObserver(() => {
            this.quietly(() => this.map.invalidateSize({ pan: false }));
            if (this.wanted) this.show(this.wanted.box, this.wanted.room);
        }).observe(this.element);
    }

    drawLand(rings) {
        const copies = [-360, 0, 360].map((x) => rings.map((ring) => ring.map(([lng, lat]) => [lat, lng + x])));
        this.land = this.L.polygon(copies, { className: 'land', interactive: false, weight: 0.6, noClip: false });
        if (!this.tiles) this.land.addTo(this.map);
    }

    /** Shows tiles instead of the drawn land; null for the land. @param {Tiles | null} tiles */
    useTiles(tiles) {
        this.tiles?.remove();
        this.tiles = tiles && this.L.tileLayer(`${root}/tiles/${encodeURIComponent(tiles.id)}/{z}/{x}/{y}`, {
            minNativeZoom: tiles.minZoom, maxNativeZoom: tiles.maxZoom, maxZoom: 19 });
        if (this.tiles) {
            this.land?.remove();
            this.tiles.addTo(this.map);
        } else this.land?.addTo(this.map);
    }

    quietly(work) {
        this.isShowing = true;
        work();
        this.isShowing = false;
    }

    /** What is in sight; Leaflet's own bounds reach beyond 180 degrees, and its wrapping can stay there. */
    get box() {
        const bounds = this.map.getBounds();
        const isWorld = bounds.getEast() - bounds.getWest() >= 360;
        return [isWorld ? -180 : wrapped(bounds.getWest()), Math.max(bounds.getSouth(), -90),
            isWorld ? 180 : wrapped(bounds.getEast()), Math.min(bounds.getNorth(), 90)].map(rounded);
    }

    /** @param {number[]} box west, south, east, north */
    show(box, room = 1) {
        const [west, south, east, north] = box;
        this.wanted = { box, room };
        const right = west > east ? east + 360 : east;
        const [margin, rise] = [(right - west) * (room - 1) / 2, (north - south) * (room - 1) / 2];
        const bounds = [[Math.max(south - rise, -northmost), west - margin],
            [Math.min(north + rise, northmost), right + margin]];
        this.quietly(() => this.map.fitBounds(bounds, { animate: false, maxZoom: 18 }));
        this.put(this.shown ?? []);
    }

    move(right, up) {
        const size = this.map.getSize();
        this.map.panBy([right * size.x, -up * size.y], { animate: false });
    }

    zoom(factor) { this.map.setZoom(this.map.getZoom() + Math.log2(factor), { animate: false }); }

    /** @param {{latitude: number, longitude: number, element: HTMLElement}[]} points */
    put(points) {
        this.shown = points;
        this.markers.clearLayers();
        const center = this.map.getCenter().lng;
        for (const { latitude, longitude, element } of points) {
            // The copy of the world that is in sight.
            const near = longitude + 360 * Math.round((center - longitude) / 360);
            this.L.DomEvent.disableClickPropagation(element);
            const icon = this.L.divIcon({ className: 'mappoint', iconSize: [0, 0], html: element });
            const marker = this.L.marker([latitude, near], { icon, keyboard: false, interactive: false });
            this.markers.addLayer(marker);
            marker.getElement()?.setAttribute('role', 'listitem');
        }
    }
}
