/** The entities of a model as boxes that can be moved, with inheritance and relationships between them. */
import { h, fill, button, debounce } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { shell } from './shell.js';
import { edges, linesOf, svg, wayKey, wayOf } from './diagramLines.js';
import { savePicture } from './diagramPicture.js';

const titleHeight = 28;
const rowHeight = 18;
const step = 10;
/** Beyond so many boxes names are not kept apart, which would take as many comparisons as there are pairs. */
const fewBoxes = 150;

export class ModelDiagram {
    /**
     * @param {HTMLElement} place
     * @param {{session: import('../base/models.js').ModelSession, selected: Set<string>, [member: string]: any}} view
     */
    constructor(place, view) {
        this.view = view;
        this.session = view.session;
        Object.assign(this, { place, boxes: new Map(), scale: 1, x: 0, y: 0, drawn: '', moved: {} });
        this.lines = svg('g', { class: 'lines' });
        this.nodes = svg('g', { class: 'nodes' });
        this.marks = svg('g', { class: 'marks' });
        this.world = svg('g', {}, this.lines, this.nodes, this.marks);
        this.picture = svg('svg',
            { class: 'diagram', role: 'group', 'aria-label': t('model.view.diagram'), tabindex: '-1' }, this.world);
        this.keep = debounce(400, () => this.send());
        const zoomed = (by) => () => this.zoom(by, this.picture.clientWidth / 2, this.picture.clientHeight / 2);
        this.status = h('p.dim', { role: 'status' });
        fill(place, h('h1.unseen', {}, t('model.view.diagram')),
            h('div.line.diagramtools', {}, button('−', zoomed(0.8), { 'aria-label': t('model.smaller') }),
                button('+', zoomed(1.25), { 'aria-label': t('model.larger') }),
                button(t('model.fit'), () => this.fit()), button(t('model.arrange'), () => this.arrange()),
                h('span.grow'),
                button('SVG', () => savePicture(this, 'svg').catch((error) => shell.fail(error)),
                    { 'aria-label': t('result.save', { form: 'SVG' }) }),
                button('PNG', () => savePicture(this, 'png').catch((error) => shell.fail(error)),
                    { 'aria-label': t('result.save', { form: 'PNG' }) })), this.status, this.picture);
        this.bind();
    }

    leave() { this.keep.cancel(); if (Object.keys(this.moved).length) this.send(); }

    /** Takes over what the model has by now; boxes stay where they are. */
    async follow() {
        const key = `${this.session.version} ${this.session.reply.revision}`;
        if (key === this.drawn) return;
        const isFirst = !this.drawn;
        this.drawn = key;
        if (isFirst) this.status.textContent = t('model.arranging');
        try {
            this.take(await api.get(this.session.path('diagram')));
            if (isFirst) this.fit();
        } catch (error) {
            this.status.textContent = error.message;
        }
    }

    take({ boxes, ways }) {
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
        for (const edge of this.edges) {
            for (const end of [edge.from, edge.to]) this.byBox.set(end, [...(this.byBox.get(end) ?? []), edge]);
        }
        for (const edge of this.edges) for (const part of ['node', 'ends']) edge[part] = svg('g', { class: edge.kind });
        this.lines.replaceChildren(...this.edges.map((edge) => edge.node));
        this.marks.replaceChildren(...this.edges.map((edge) => edge.ends));
        this.route(ways);
        this.drawSelection();
        this.drawNames();
    }

    /** Draws the lines along the ways that the server found around the boxes. */
    route(ways) {
        const found = new Map((ways ?? []).map((way) => [wayKey(way), way]));
        for (const edge of this.edges) {
            edge.way = wayOf(edge, found.get(wayKey(edge)));
            this.drawEdge(edge);
        }
    }

    node(box) {
        const isAbstract = this.session.items.get(box.item)?.values.abstract === 'YES';
        const text = (content, x, y, kind) => {
            const made = svg('text', { class: kind, x, y });
            made.textContent = content;
            return made;
        };
        const node = svg('g', { class: isAbstract ? 'box abstract' : 'box', tabindex: 0, role: 'button',
            'aria-label': `${t('model.kind.entity')} ${box.item}` },
            svg('rect', { class: 'body', width: box.width, height: box.height, rx: 5 }),
            svg('rect', { class: 'head', width: box.width, height: titleHeight, rx: 5 }),
            text(box.item, box.width / 2, 19, 'name'),
            box.rows.map(([name, type], i) => [text(name, 12, titleHeight + 16 + i * rowHeight, 'row'),
                type && text(type, box.typeColumn, titleHeight + 16 + i * rowHeight, 'type')]));
        node.dataset.box = box.item;
        return node;
    }

    put(box) {
        box.node.setAttribute('transform',
            `translate(${round(box.x - box.width / 2)} ${round(box.y - box.height / 2)})`);
    }

    drawEdge(edge) {
        const [from, to] = [this.boxes.get(edge.from), this.boxes.get(edge.to)];
        const { lines, marks } = from && to ? linesOf(edge, from, to) : { lines: [], marks: [] };
        edge.node.replaceChildren(...lines);
        edge.ends.replaceChildren(...marks);
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
        for (const edge of this.byBox.get(box.item) ?? []) { edge.way = null; this.drawEdge(edge); }
        this.moved[box.item] = [round(x), round(y)];
        this.keep();
    }

    send() {
        const places = this.moved;
        this.moved = {};
        return api.put(this.session.path('diagram'), { places })
            .then((reply) => { if (!Object.keys(this.moved).length) this.route(reply.ways); })
            .catch((error) => shell.fail(error));
    }

    async arrange() {
        this.keep.cancel();
        this.moved = {};
        this.status.textContent = t('model.arranging');
        try {
            this.take(await api.put(this.session.path('diagram'), null));
            this.fit();
        } catch (error) {
            shell.fail(error);
        }
    }

    // Looking

    /** What the boxes cover. */
    get frame() {
        const all = [...this.boxes.values()];
        const [left, top] = [Math.min(...all.map((b) => b.x - b.width / 2)),
            Math.min(...all.map((b) => b.y - b.height / 2))];
        const [right, bottom] = [Math.max(...all.map((b) => b.x + b.width / 2)),
            Math.max(...all.map((b) => b.y + b.height / 2))];
        return all.length ? { x: left - 40, y: top - 40, width: right - left + 80, height: bottom - top + 80 }
            : { x: 0, y: 0, width: 100, height: 100 };
    }

    fit() {
        const { x, y, width, height } = this.frame;
        this.scale = Math.max(0.02,
            Math.min(1.2, (this.picture.clientWidth - 50) / width, this.picture.clientHeight / height));
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
        // Texts of few pixels say nothing, and cost most of the drawing: from afar boxes have their names alone, as
        // large as they can be.
        const isFar = this.scale < 0.55;
        this.picture.classList.toggle('far', isFar);
        if (isFar || this.isFar) this.drawNames(isFar);
        this.isFar = isFar;
    }

    drawNames(isFar = this.isFar) {
        const names = [...this.boxes.values()].map((box) =>
            ({ box, shift: 0, ...(isFar ? farName(box, this.scale) : { lines: [box.item], size: 14 }) }));
        if (isFar && names.length <= fewBoxes) spread(names);
        for (const { box, lines, size, shift } of names) {
            const name = box.node.querySelector('.name');
            name.style.fontSize = `${round(size)}px`;
            const first = isFar ? box.height / 2 + shift + size * (0.35 - (lines.length - 1) * 0.55) : 19;
            name.replaceChildren(...lines.map((line, i) => {
                const made = svg('tspan', { x: box.width / 2, y: round(first + i * size * 1.1) });
                made.textContent = line;
                return made;
            }));
        }
    }

    bind() {
        const { picture } = this;
        picture.addEventListener('wheel', (e) => {
            e.preventDefault();
            const frame = picture.getBoundingClientRect();
            if (e.ctrlKey || e.metaKey) {
                return this.zoom(Math.exp(-e.deltaY / 200), e.clientX - frame.left, e.clientY - frame.top);
            }
            this.x -= e.deltaX;
            this.y -= e.deltaY;
            return this.look();
        }, { passive: false });
        picture.addEventListener('pointerdown', (e) => this.drag(e));
        picture.addEventListener('keydown', (e) => this.key(e));
        picture.addEventListener('focusin', (e) => {
            const name = e.target.dataset?.box;
            if (name && e.target.matches(':focus-visible') && this.view.place !== name) this.view.select(name);
        });
    }

    drag(event) {
        const name = event.target.closest?.('[data-box]')?.dataset.box;
        const line = event.target.closest?.('[data-line]')?.dataset.line;
        if (line) return this.view.select(line);
        const box = name ? this.boxes.get(name) : null;
        if (box) this.view.select(name, { adds: event.ctrlKey || event.metaKey || event.shiftKey });
        const start = { x: event.clientX, y: event.clientY };
        const others =
            box ? [...this.view.selected].map((n) => this.boxes.get(n)).filter(Boolean).map((b) => [b, b.x, b.y]) : [];
        const origin = { x: this.x, y: this.y };
        const follow = (e) => {
            const [dx, dy] = [e.clientX - start.x, e.clientY - start.y];
            if (box) for (const [b, x, y] of others) this.move(b, x + dx / this.scale, y + dy / this.scale);
            else { this.x = origin.x + dx; this.y = origin.y + dy; this.look(); }
        };
        this.picture.setPointerCapture(event.pointerId);
        this.picture.addEventListener('pointermove', follow);
        this.picture.addEventListener('lostpointercapture',
            () => this.picture.removeEventListener('pointermove', follow), { once: true });
        return undefined;
    }

    key(event) {
        const box = this.boxes.get(event.target.dataset?.box);
        const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step],
            ArrowDown: [0, step] }[event.key] ?? [0, 0];
        if (!box) return;
        if (dx || dy) this.move(box, box.x + dx, box.y + dy);
        else if (event.key === 'Enter' || event.key === ' ') this.view.select(box.item);
        else return;
        event.preventDefault();
    }
}

/**
 * The words of a name on as many lines as make it largest in its box, and never too small to be read: it may reach
 * beyond the box then.
 */
function farName({ item, width, height }, scale) {
    const words = item.match(/[A-Z]*[^A-Z]+|[A-Z]+$/g) ?? [item];
    const ways = words.map((_, last) => {
        const most = Math.max(...words.map((w) => w.length), Math.ceil(item.length / (last + 1)));
        const lines = words.reduce((made, word) => (made.length
            && made.at(-1).length + word.length <= most ? [...made.slice(0, -1), made.at(-1) + word] : [...made, word]),
            []);
        return { lines, size: Math.min(13 / scale, (width - 8) / (Math.max(...lines.map((l) => l.length)) * 0.62),
            (height - 4) / (lines.length * 1.1)) };
    });
    const best = ways.reduce((a, b) => (b.size > a.size ? b : a));
    const least = 9 / scale;
    // Where none is large enough in the box, its height is of no account either.
    return best.size >= least ? best : { lines: ways.at(-1).lines, size: least };
}

/** Moves names that would lie on others up or down; those that are in their boxes stay. */
function spread(names) {
    const area = ({ box, lines, size, shift }) => {
        const [width, height] = [Math.max(...lines.map((l) => l.length)) * size * 0.7, lines.length * size * 1.1];
        return { left: box.x - width / 2, right: box.x + width / 2, top: box.y + shift - height / 2,
            bottom: box.y + shift + height / 2, height };
    };
    const placed = [];
    const isFree = (a) =>
        placed.every((b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
    const isInside =
        (name) => { const a = area(name); return a.right - a.left <= name.box.width && a.height <= name.box.height; };
    for (const name of [...names].sort((a, b) => Number(isInside(b)) - Number(isInside(a)) || a.box.x - b.box.x)) {
        const { height } = area(name);
        const shifts = [0, 1, -1, 2, -2, 3, -3].map((n) => n * height);
        name.shift = shifts.find((shift) => isFree(area({ ...name, shift }))) ?? 0;
        placed.push(area(name));
    }
}

const round = (number) => Math.round(number * 10) / 10;
const sameBox = (a, b) => a.width === b.width && a.height === b.height
    && JSON.stringify(a.rows) === JSON.stringify(b.rows);
