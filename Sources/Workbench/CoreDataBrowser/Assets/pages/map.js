/**
 * Objects on a map by their coordinates: those near each other together, by the server; what is in sight is a list too.
 */
import { h, fill, button, debounce, stored, uid } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { link, note } from '../base/router.js';
import { needStyle } from '../base/download.js';
import { storeInfo } from '../base/store.js';
import { serverText } from '../base/serverTexts.js';
import { shell } from '../components/shell.js';
import { empty, failure, working } from '../components/states.js';
import { predicateField } from '../components/predicateField.js';
import { DrawnMap } from '../components/drawnMap.js';
import { LeafletMap, loadLeaflet } from '../components/leafletMap.js';

const parts = ['entity', 'where', 'latitude', 'box'];
const keys = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

export async function render({ params, query, signal }) {
    const [store, leaflet] = await Promise.all([storeInfo(params.store), loadLeaflet(), needStyle('map'),
        needStrings('map')]);
    const page = new MapPage(store, leaflet, signal);
    page.follow(query);
    return {
        element: page.element, store, title: t('map.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('map.title')]],
        adopt: (visit) => { page.follow(visit.query); return true; },
    };
}

class MapPage {
    /** @param {import('../base/store.js').StoreInfo} store @param {any} leaflet @param {AbortSignal} signal */
    constructor(store, leaflet, signal) {
        this.store = store;
        this.signal = signal;
        /** @type {Record<string, string>} */
        this.state = {};
        this.asking = null;
        this.form = h('div.questions');
        const labels = { label: t('map.keys'), points: t('map.points') };
        this.surface = leaflet ? new LeafletMap(leaflet, () => this.turned(), labels)
            : new DrawnMap(() => this.turned(), labels);
        this.status = h('div.line', { role: 'status' });
        this.later = debounce(250, () => this.run());
        const zoom = (factor) => () => this.surface.zoom(factor);
        this.layers = h('span');
        this.source = h('p.dim', {}, t('map.source'));
        this.tools = h('div.line', {}, button('+', zoom(2), { 'aria-label': t('map.in') }),
            button('−', zoom(0.5), { 'aria-label': t('map.out') }),
            button(t('map.all'), () => this.showAll()), this.layers, h('span.grow'), this.status);
        this.result = h('div', {}, this.tools, this.surface.element, this.source);
        this.problem = h('div');
        this.element = h('div.page.mappage', {}, h('h1', {}, t('map.title')), this.form, this.problem, this.result);
        this.listen();
        if (leaflet) this.offerTiles();
        signal.addEventListener('abort', () => { this.asking?.abort(); this.later.cancel(); });
    }

    get entity() { return this.store.entities.get(this.state.entity); }

    follow(query) {
        for (const part of parts) this.state[part] = query.get(part) ?? '';
        const mapped = [...this.store.entities.values()].filter((e) => e.coordinates?.length);
        this.state.entity ||= mapped[0]?.name ?? '';
        this.result.hidden = !this.state.entity;
        if (!this.state.entity) return fill(this.problem, empty(t('map.none'), t('map.noneHint')));
        const box = this.state.box.split(',').map(Number);
        if (box.length === 4 && box.every(Number.isFinite)) this.surface.show(box);
        this.drawForm(mapped);
        this.draw();
        return this.run();
    }

    drawForm(mapped) {
        const { store, entity, state } = this;
        if (!entity) return fill(this.form);
        const select = (part, options, label, change) => {
            const field = h('select', { id: uid(part) },
                options.map((value) => h('option', { value, selected: value === state[part] }, value)));
            field.addEventListener('change', () => change(field.value));
            return [h('label', { for: field.id }, label), field];
        };
        const names = [...new Set([entity, ...mapped].map((e) => e.name))].sort();
        const pairs = (entity.coordinates ?? []).map((pair) => pair.latitude);
        this.predicate = predicateField({ store, entity, state, signal: this.signal,
            change: ({ where }) => this.ask({ where }) });
        this.predicate.follow();
        return fill(this.form, h('div.line', {}, select('entity', names, t('entity.name'), (name) => {
            Object.assign(state, { entity: name, where: '', latitude: '', box: '' });
            this.drawForm(mapped);
            this.run();
        }), pairs.length > 1
            && select('latitude', pairs, t('map.pair'), (latitude) => this.ask({ latitude, box: '' }))),
        h('div.predicate', {}, this.predicate.element));
    }

    ask(changes) {
        Object.assign(this.state, changes);
        this.run();
    }

    showAll() { this.ask({ box: '' }); }

    /** The backgrounds that there are, where there is more than the land. */
    async offerTiles() {
        const { layers, refused } = await api.get('/tiles', this.signal).catch(() => ({ layers: [], refused: [] }));
        if (!layers.length && !refused.length) return;
        const select = h('select', { id: uid('tiles') }, h('option', { value: '' }, t('map.land')),
            layers.map((layer) => h('option', { value: layer.id }, layer.name)));
        select.addEventListener('change', () => {
            const layer = layers.find((one) => one.id === select.value) ?? null;
            if (this.surface instanceof LeafletMap) this.surface.useTiles(layer);
            fill(this.source, layer ? stored(layer.attribution) : t('map.source'));
        });
        fill(this.layers, h('label', { for: select.id }, t('map.background')), ' ', select,
            refused.map((file) => h('span.problem', {}, ' ', stored(`${file.file}: ${serverText(file.reason)}`))));
    }

    /** A person has moved or zoomed the map: what is in sight is asked for soon. */
    turned() {
        this.state.box = this.surface.box.join(',');
        this.later();
    }

    listen() {
        this.surface.element.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const factor = { '+': 2, '=': 2, '-': 0.5 }[event.key];
            if (keys[event.key]) this.surface.move(...keys[event.key]);
            else if (factor) this.surface.zoom(factor);
            else if (event.key === 'Home') this.showAll();
            else return;
            event.preventDefault();
        });
    }

    async run() {
        this.later.cancel();
        this.asking?.abort();
        const asking = new AbortController();
        this.asking = asking;
        note(this.state);
        this.surface.element.setAttribute('aria-busy', 'true');
        fill(this.status, working(t('map.running'), () => asking.abort()));
        try {
            const answer = await api.get(address(['stores', this.store.id, 'map'], this.state), asking.signal);
            if (this.asking !== asking || this.signal.aborted) return;
            if (!this.state.box) this.surface.show(answer.box);
            this.answer = answer;
            fill(this.problem, !answer.count && empty(t('map.empty'), t('map.emptyHint')));
            this.draw();
            fill(this.status, t('map.count', { count: answer.count }), ' ',
                h('a', { href: this.list(answer.where) }, t('map.list')));
        } catch (error) {
            if (this.asking !== asking || this.signal.aborted) return;
            this.answer = null;
            this.draw();
            fill(this.status, error.name === 'AbortError' && t('state.stopped'));
            if (error.name === 'AbortError') return;
            fill(this.problem, failure(error, error.status >= 500 || !error.status ? () => this.run() : null));
        } finally {
            if (this.asking === asking) this.surface.element.removeAttribute('aria-busy');
        }
    }

    list(where) { return link(address(['stores', this.store.id, 'entities', this.state.entity], { where })); }

    draw() {
        const { surface } = this;
        const hadFocus = surface.element !== document.activeElement && surface.element.contains(document.activeElement);
        surface.put((this.answer?.clusters ?? []).map((c) => ({ ...c, element: this.point(c) })));
        // What had the focus is gone with the zoom that it asked for.
        if (hadFocus) surface.element.focus();
    }

    point(cluster) {
        if (cluster.object) {
            return h('a.single', { href: link(`/stores/${this.store.id}/objects/${cluster.object}`),
                'aria-label': cluster.object, title: cluster.object });
        }
        const label = t('map.cluster', { count: cluster.count });
        if (cluster.where) {
            return h('a.cluster', { href: this.list(cluster.where), 'aria-label': label, title: label },
                stored(number(cluster.count)));
        }
        return button(number(cluster.count),
            () => { this.surface.show(cluster.box, 1.2); this.turned(); shell.announce(t('map.zoomed')); },
            { class: 'cluster', 'aria-label': label, title: label });
    }
}
