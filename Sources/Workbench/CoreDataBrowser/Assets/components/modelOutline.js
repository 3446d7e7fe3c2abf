/** The items of a model as a tree at the side, with a search and what adds more. */
import { h, fill, find, findAll, focusedElement, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { openMenu } from './menu.js';
import { openAdding } from './modelAdding.js';

const kinds = ['entity', 'fetch-request', 'configuration', 'composite'];

export class ModelOutline {
    /**
     * @param {import('../base/models.js').ModelSession} session
     * @param {{selected: Set<string>, [member: string]: any}} view
     */
    constructor(session, view) {
        this.session = session;
        this.view = view;
        this.search = h('input', { type: 'search', placeholder: t('model.search'), 'aria-label': t('model.search'),
            on: { input: () => this.draw() } });
        this.list = h('div.modeltree', {});
        /** How bad what is wrong with an item is, as its row shows it. @type {Map<string, string>} */
        this.marked = new Map();
        this.element = h('nav.modeloutline', { 'aria-label': t('model.outline') }, h('div.line', {}, this.search,
            button('+', (e) => openMenu(e.currentTarget, kinds.map((kind) =>
                ({ text: t(`model.kind.${kind}`), do: () => openAdding(view, kind, '.') }))), { 'aria-label':
                    t('model.add'), 'aria-haspopup': 'menu', hidden: !session.editable, data: { add: 'model' } })),
            this.list);
        this.list.addEventListener('keydown', (e) => this.move(e));
    }

    draw() {
        const text = this.search.value.trim().toLocaleLowerCase();
        // Most edits change nothing that is shown here, and a model may have a thousand entities.
        const shown = JSON.stringify([text, ...[...this.session.items.values()].map(
            (i) => [i.item, i.values.abstract, i.values.parent, text && i.parts.map((p) => p.item)])]);
        if (shown === this.shown) return;
        this.shown = shown;
        const hit = (item) => item.name.toLocaleLowerCase().includes(text);
        const focused = this.list.contains(document.activeElement) ? focusedElement().dataset.item : null;
        fill(this.list,
            this.row({ item: '.', kind: 'model', name: this.session.reply.name }),
            kinds.map((kind) => {
                const all = this.session.of(kind);
                const found = text ? all.filter((i) => hit(i) || i.parts.some(hit)) : all;
                return found.length > 0
                    && h('section', {}, h('h3', {}, t(`model.kinds.${kind}`), ' ', h('span.count', {}, all.length)),
                        h('ul', {}, found.map((i) => h('li', {}, this.row(i),
                            text && h('ul', {}, i.parts.filter(hit).map((p) => h('li', {}, this.row(p))))))));
            }),
            text && !this.list.childElementCount && h('p.dim', {}, t('palette.none')));
        if (focused) find(this.list, `[data-item="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
        this.marked = new Map();
        this.drawFindings();
    }

    row(item) {
        return button([h('span.kindmark', { data: { kind: item.kind }, 'aria-hidden': 'true' }), stored(item.name),
            h('span.findingmark', { 'aria-hidden': 'true' })],
            (e) => this.view.select(item.item, { adds: e.ctrlKey || e.metaKey }),
            { class: `plain modelrow${item.values?.abstract === 'YES' ? ' abstract' : ''}`,
                data: { item: item.item, place: '' },
                title: item.values?.parent ? `${item.name}: ${item.values.parent}` : item.name });
    }

    /** Arrows go from row to row. */
    move(event) {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        const rows = findAll(this.list, '.modelrow');
        const at = rows.indexOf(focusedElement());
        rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
        event.preventDefault();
    }

    /** Marks the items of which something is wrong. */
    drawFindings() {
        const worst = new Map();
        for (const { item, severity } of this.session.findings) {
            const place = item?.split('.')[0];
            for (const name of [item, place]) if (name && worst.get(name) !== 'error') worst.set(name, severity);
        }
        const isOther = (name) => worst.get(name) !== this.marked.get(name);
        for (const name of new Set([...worst.keys(), ...this.marked.keys()].filter(isOther))) {
            const severity = worst.get(name) ?? '';
            for (const mark of findAll(this.list, `[data-item="${CSS.escape(name)}"] > .findingmark`)) {
                mark.textContent = severity && severity !== 'note' ? '●' : '';
                mark.dataset.severity = severity;
            }
        }
        this.marked = worst;
    }
}
