/** The entities of a model as boxes that can be moved, with inheritance and relationships between them. */
import { h, fill, button, debounce } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { shell } from './shell.js';
import { edges, linesOf, svg } from './diagramLines.js';
import { savePicture } from './diagramPicture.js';

const titleHeight = 28;
const rowHeight = 18;
const step = 10;

export class ModelDiagram {
    constructor(place, view) {
        Object.assign(this, { place, view, session: view.session, boxes: new Map(), scale: 1, x: 0, y: 0, drawn: '', moved: {} });
        this.lines = svg('g', { class: 'lines' });
        this.nodes = svg('g', { class: 'nodes' });
        this.world = svg('g', {}, this.lines, this.nodes);
        this.picture = svg('svg', { class: 'diagram', role: 'group', 'aria-label': t('model.view.diagram'), tabindex: '-1' }, this.world);
        this.keep = debounce(400, () => this.send());
        const zoomed = (by) => () => this.zoom(by, this.picture.clientWidth / 2, this.picture.clientHeight / 2);
        this.status = h('p.dim', { role: 'status' });
        fill(place, h('h1.unseen', {}, t('model.view.diagram')), h('div.line.diagramtools', {}, button('−', zoomed(0.8), { 'aria-label': t('model.smaller') }), button('+', zoomed(1.25), { 'aria-label': t('model.larger') }),
            button(t('model.fit'), () => this.fit()), button(t('model.arrange'), () => this.arrange()), h('span.grow'),
            button('SVG', () => savePicture(this, 'svg').catch((error) => shell.fail(error)), { 'aria-label': t('result.save', { form: 'SVG' }) }),
            button('PNG', () => savePicture(this, 'png').catch((error) => shell.fail(error)), { 'aria-label': t('result.save', { form: 'PNG' }) })), this.status, this.picture);
        this.bind();
    }

    leave() { this.keep.cancel(); if (Object.keys(this.moved).length) this.send(); }

    /** Takes over what the model has by now; boxes stay where they are. */
    async follow() {
        const key = `${this.session.version} ${this.session.told.revision}`;
        if (key === this.drawn) return;
        const isFirst = !this.drawn;
        this.drawn = key;
        if (isFirst) this.status.textContent = t('model.arranging');
        try {
            this.take((await api.get(this.session.path('diagram'))).boxes);
            if (isFirst) this.fit();
        } catch (error) {
            this.status.textContent = error.message;
        }
    }

    take(boxes) {
        this.status.textContent = '';
        const old = this.boxes;
        this.boxes = new Map(boxes.map((b) => [b.item, b]));
        for (const [name, box] of old) if (!this.boxes.has(name)) box.node.remove();
        for (const [name, box] of this.boxes) {
            const former = old.get(name);
            if (former && sameBox(former, box)) [box.node, box.isMarked] = [former.node, former.isMarked];
            else {
                box.node = this.node(box);
                if (former) former.node.replaceWith(box.node);
            }
            if (!box.node.isConnected) this.nodes.append(box.node);
            this.put(box);
        }
        this.edges = edges(this.session);
        this.byBox = new Map();
        for (const edge of this.edges) for (const end of [edge.from, edge.to]) this.byBox.set(end, [...(this.byBox.get(end) ?? []), edge]);
        this.lines.replaceChildren(...this.edges.map((edge) => { edge.node = svg('g', { class: edge.kind }); return edge.node; }));
        for (const edge of this.edges) this.drawEdge(edge);
        this.drawSelection();
    }

    node(box) {
        const isAbstract = this.session.items.get(box.item)?.values.abstract === 'YES';
        const text = (content, x, y, kind) => { const made = svg('text', { class: kind, x, y }); made.textContent = content; return made; };
        const node = svg('g', { class: isAbstract ? 'box abstract' : 'box', tabindex: 0, role: 'button', 'aria-label': `${t('model.kind.entity')} ${box.item}` },
            svg('rect', { class: 'body', width: box.width, height: box.height, rx: 5 }), svg('rect', { class: 'head', width: box.width, height: titleHeight, rx: 5 }),
            text(box.item, box.width / 2, 19, 'name'),
            box.rows.map(([name, type], i) => [text(name, 12, titleHeight + 16 + i * rowHeight, 'row'), type && text(type, box.typeColumn, titleHeight + 16 + i * rowHeight, 'type')]));
        node.dataset.box = box.item;
        return node;
    }

    put(box) { box.node.setAttribute('transform', `translate(${round(box.x - box.width / 2)} ${round(box.y - box.height / 2)})`); }

    drawEdge(edge) {
        const [from, to] = [this.boxes.get(edge.from), this.boxes.get(edge.to)];
        edge.node.replaceChildren(...(from && to ? linesOf(edge, from, to) : []));
    }

    drawSelection() {
        const { selected, place } = this.view;
        // Only what differs is touched: a diagram may have a thousand boxes and more lines.
        for (const [name, box] of this.boxes) {
            const isSelected = selected.has(name) || place === name;
            if (box.isMarked === isSelected) continue;
            box.isMarked = isSelected;
            box.node.classList.toggle('selected', isSelected);
            box.node.setAttribute('aria-pressed', String(isSelected));
        }
        for (const edge of this.edges ?? []) {
            const isSelected = edge.items.some((i) => selected.has(i));
            if (isSelected !== Boolean(edge.isMarked)) edge.node.classList.toggle('selected', isSelected);
            edge.isMarked = isSelected;
        }
    }

    // Moving

    move(box, x, y) {
        Object.assign(box, { x, y });
        this.put(box);
        for (const edge of this.byBox.get(box.item) ?? []) this.drawEdge(edge);
        this.moved[box.item] = [round(x), round(y)];
        this.keep();
    }

    send() {
        const places = this.moved;
        this.moved = {};
        return api.put(this.session.path('diagram'), { places }).catch((error) => shell.fail(error));
    }

    async arrange() {
        this.keep.cancel();
        this.moved = {};
        this.status.textContent = t('model.arranging');
        try {
            this.take((await api.put(this.session.path('diagram'), null)).boxes);
            this.fit();
        } catch (error) {
            shell.fail(error);
        }
    }

    // Looking

    /** What the boxes cover. */
    get frame() {
        const all = [...this.boxes.values()];
        const [left, top] = [Math.min(...all.map((b) => b.x - b.width / 2)), Math.min(...all.map((b) => b.y - b.height / 2))];
        const [right, bottom] = [Math.max(...all.map((b) => b.x + b.width / 2)), Math.max(...all.map((b) => b.y + b.height / 2))];
        return all.length ? { x: left - 40, y: top - 40, width: right - left + 80, height: bottom - top + 80 } : { x: 0, y: 0, width: 100, height: 100 };
    }

    fit() {
        const { x, y, width, height } = this.frame;
        this.scale = Math.max(0.02, Math.min(1.2, this.picture.clientWidth / width, this.picture.clientHeight / height));
        this.x = (this.picture.clientWidth - width * this.scale) / 2 - x * this.scale;
        this.y = (this.picture.clientHeight - height * this.scale) / 2 - y * this.scale;
        this.look();
    }

    zoom(by, x, y) {
        const scale = Math.max(0.02, Math.min(4, this.scale * by));
        this.x = x - (x - this.x) * (scale / this.scale);
        this.y = y - (y - this.y) * (scale / this.scale);
        this.scale = scale;
        this.look();
    }

    look() {
        this.world.setAttribute('transform', `translate(${round(this.x)} ${round(this.y)}) scale(${this.scale})`);
        // Texts of two pixels tell nobody anything, and cost most of the drawing.
        this.picture.classList.toggle('far', this.scale < 0.3);
    }

    bind() {
        const { picture } = this;
        picture.addEventListener('wheel', (e) => {
            e.preventDefault();
            const frame = picture.getBoundingClientRect();
            if (e.ctrlKey || e.metaKey) return this.zoom(Math.exp(-e.deltaY / 200), e.clientX - frame.left, e.clientY - frame.top);
            this.x -= e.deltaX;
            this.y -= e.deltaY;
            return this.look();
        }, { passive: false });
        picture.addEventListener('pointerdown', (e) => this.drag(e));
        picture.addEventListener('keydown', (e) => this.key(e));
        picture.addEventListener('focusin', (e) => { const name = e.target.dataset?.box; if (name && e.target.matches(':focus-visible') && this.view.place !== name) this.view.select(name); });
    }

    drag(event) {
        const name = event.target.closest?.('[data-box]')?.dataset.box;
        const line = event.target.closest?.('[data-line]')?.dataset.line;
        if (line) return this.view.select(line);
        const box = name ? this.boxes.get(name) : null;
        if (box) this.view.select(name, { adds: event.ctrlKey || event.metaKey || event.shiftKey });
        const start = { x: event.clientX, y: event.clientY };
        const others = box ? [...this.view.selected].map((n) => this.boxes.get(n)).filter(Boolean).map((b) => [b, b.x, b.y]) : [];
        const origin = { x: this.x, y: this.y };
        const follow = (e) => {
            const [dx, dy] = [e.clientX - start.x, e.clientY - start.y];
            if (box) for (const [b, x, y] of others) this.move(b, x + dx / this.scale, y + dy / this.scale);
            else { this.x = origin.x + dx; this.y = origin.y + dy; this.look(); }
        };
        this.picture.setPointerCapture(event.pointerId);
        this.picture.addEventListener('pointermove', follow);
        this.picture.addEventListener('lostpointercapture', () => this.picture.removeEventListener('pointermove', follow), { once: true });
        return undefined;
    }

    key(event) {
        const box = this.boxes.get(event.target.dataset?.box);
        const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key] ?? [0, 0];
        if (!box) return;
        if (dx || dy) this.move(box, box.x + dx, box.y + dy);
        else if (event.key === 'Enter' || event.key === ' ') this.view.select(box.item);
        else return;
        event.preventDefault();
    }
}

const round = (number) => Math.round(number * 10) / 10;
const sameBox = (a, b) => a.width === b.width && a.height === b.height && JSON.stringify(a.rows) === JSON.stringify(b.rows);
