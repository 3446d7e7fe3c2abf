/** The fetch console: objects of an entity in groups, with what is calculated of each, as a table and a chart. */
import { h, fill, button, debounce, find, focusedElement, stored, uid } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, number, t } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { shownDate } from '../base/format.js';
import { link, note } from '../base/router.js';
import { download, needStyle } from '../base/download.js';
import { storeInfo } from '../base/store.js';
import { shell } from '../components/shell.js';
import { openMenu } from '../components/menu.js';
import { empty, failure, working } from '../components/states.js';
import { predicateField } from '../components/predicateField.js';
import { resultStatus, resultTable } from '../components/resultTable.js';
import { chartPicture } from '../components/chartPicture.js';
import { savedQueries } from '../components/savedQueries.js';
import { aggregateChoice, chosenWords, groupKeys, wordChoice } from '../components/questionForm.js';

const parts = ['entity', 'where', 'group', 'aggregate', 'having', 'sort', 'limit', 'kind'];
const kinds = ['table', 'bar', 'line', 'scatter'];
const list = (text) => text.split(',').filter(Boolean);

export async function render({ params, query, signal }) {
    const [store] = await Promise.all([storeInfo(params.store), needStyle('console'), needStrings('console')]);
    const view = new ConsoleView(store, signal);
    view.follow(query);
    return {
        element: view.element, store, title: t('console.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('console.title')]],
        adopt: (visit) => { view.follow(visit.query); return true; },
    };
}

class ConsoleView {
    /** @param {import('../base/store.js').StoreInfo} store @param {AbortSignal} signal */
    constructor(store, signal) {
        this.store = store;
        this.signal = signal;
        /** @type {Record<string, string>} */
        this.state = {};
        this.asking = null;
        this.form = h('div.questions');
        this.progress = h('div');
        this.result = h('div.resultplace');
        this.later = debounce(400, () => this.run());
        this.element = h('div.page.console', {}, h('h1', {}, t('console.title')), h('p.dim', {}, t('console.about')),
            this.form, this.progress, this.result);
        signal.addEventListener('abort', () => { this.asking?.abort(); this.later.cancel(); });
        addEventListener('settings',
            (/** @type {CustomEvent} */ e) => e.detail === 'zone' && this.answer && this.show(this.answer), { signal });
    }

    get entity() { return this.store.entities.get(this.state.entity); }

    /** Takes over what an address says, and asks it if it asks for something. */
    follow(query) {
        // The field of the predicate has this object.
        for (const part of parts) this.state[part] = query.get(part) ?? '';
        const isQuestion = Boolean(this.state.entity);
        if (!isQuestion) {
            this.state.entity = this.store.below().find((e) => !e.abstract)?.name ?? [...this.store.entities.keys()][0]
                ?? '';
        }
        this.draw();
        this.predicate?.follow();
        // A drawing is as wide as its place, which is known once the view is in the page.
        if (isQuestion) setTimeout(() => this.signal.aborted || this.run());
        else fill(this.result, empty(t('console.empty'), t('console.emptyHint')));
    }

    /** Changes the question, its form and its address, and asks it. */
    change(changes, { draws = true } = {}) {
        Object.assign(this.state, changes);
        if (draws) this.draw();
        this.later();
        note(this.state);
    }

    draw() {
        const { store, state, entity } = this;
        if (!entity) return fill(this.form, empty(t('console.noEntity'), ''));
        const focused = this.form.contains(document.activeElement) ? focusedElement() : null;
        const focus =
            focused?.dataset.part ? `[data-part="${focused.dataset.part}"]` : focused?.closest('[data-question]')
                ? `[data-question="${focused.closest('[data-question]').getAttribute('data-question')}"] select` : null;
        const groups = list(state.group);
        const aggregates = list(state.aggregate);
        const without = (words, word) => words.filter((w) => w !== word).join(',');
        const select = (part, options, label) => {
            const field = h('select', { id: uid(part), data: { part } },
                options.map(([value, text]) => h('option', { value, selected: value === state[part] }, text)));
            field.addEventListener('change', () => this.change(part === 'entity'
                ? { entity: field.value, where: '', group: '', aggregate: '', having: '', sort: '' }
                : { [part]: field.value }));
            return [h('label', { for: field.id }, label), field];
        };
        const text = (part, label, hint, type = 'text') => {
            const field = h('input', { type, id: uid(part), data: { part }, placeholder: hint, spellcheck: 'false',
                class: type === 'number' ? 'short' : 'mono', is: { value: state[part] } });
            if (type === 'number') Object.assign(field, { min: 1, max: 100000 });
            field.addEventListener('change', () => this.change({ [part]: field.value.trim() }, { draws: false }));
            return [h('label', { for: field.id }, label), field];
        };
        const columns = [...groups.map((g) => (g.includes('@') ? g.replace(/[.@]/g, '_') : g)),
            ...(aggregates.length ? aggregates : ['count']).map((a) => a.replace(/[.:]/g, '_'))];
        // What is typed and not applied yet stays when something else is chosen.
        if (this.predicateEntity !== entity) {
            this.predicate = predicateField({ store,
                entity, state, signal: this.signal, change: ({ where }) => this.change({ where }, { draws: false }) });
        }
        this.predicateEntity = entity;
        fill(this.form,
            h('div.line', {},
                select('entity', [...store.entities.keys()].sort().map((name) => [name, name]), t('entity.name')),
                select('kind', kinds.map((kind) => [kind === 'table' ? '' : kind, t(`console.kind.${kind}`)]),
                    t('console.kind')),
                text('limit', t('sql.limit'), '1000', 'number'), h('span.grow'),
                button(t('queries.title'), async (e) => {
                    const at = e.currentTarget;
                    openMenu(at, await savedQueries(store, 'console', this.query));
                }, { 'aria-haspopup': 'menu' })),
            h('div.predicate', {}, this.predicate.element),
            chosenWords('group', t('console.group'), groups, (word) => this.change({ group: without(groups, word) }),
                wordChoice(t('console.addKey'), groupKeys(store, entity).filter((k) => !groups.includes(k)),
                    (word) => this.change({ group: [...groups, word].join(',') }))),
            chosenWords('aggregate', t('console.aggregates'), aggregates,
                (word) => this.change({ aggregate: without(aggregates, word) }), ...aggregateChoice(store, entity,
                    (word) => !aggregates.includes(word)
                        && this.change({ aggregate: [...aggregates, word].join(',') }))),
            groups.length > 0 && h('div.line', {}, text('having', t('console.having'), `${columns.at(-1)} > 1`),
                select('sort',
                    [['', t('console.usualOrder')], ...columns.flatMap((c) => [[c, `${c} ↑`], [`-${c}`, `${c} ↓`]])],
                    t('console.sort'))));
        if (focus) find(this.form, focus)?.focus();
        return undefined;
    }

    get query() { return new URLSearchParams(Object.entries(this.state).filter(([, v]) => v)).toString(); }
    path(more = {}) { return address(['stores', this.store.id, 'console'], { ...this.state, ...more }); }

    async run() {
        if (!this.entity) return;
        this.later.cancel();
        this.asking?.abort();
        const asking = new AbortController();
        this.asking = asking;
        note(this.state);
        fill(this.progress, working(t('console.running'), () => asking.abort()));
        this.result.setAttribute('aria-busy', 'true');
        const begin = performance.now();
        try {
            const answer = await api.get(this.path({ drawing: 'yes', width: this.drawingWidth }), asking.signal);
            if (this.asking !== asking || this.signal.aborted) return;
            this.answer = answer;
            this.show(answer, this.picture(answer), Math.round(performance.now() - begin));
        } catch (error) {
            if (this.asking !== asking || this.signal.aborted) return;
            this.answer = null;
            if (error.name === 'AbortError') return void fill(this.result, empty(t('state.stopped'), ''));
            const excerpt = error.body?.error?.excerpt;
            fill(this.result, excerpt && h('pre.excerpt', { dir: 'ltr' }, excerpt),
                failure(error, error.status >= 500 || !error.status ? () => this.run() : null));
        } finally {
            if (this.asking === asking) {
                fill(this.progress);
                this.result.removeAttribute('aria-busy');
            }
        }
    }

    /** The width of a drawing in the page, with texts of the usual size; that of a file is the usual one. */
    get drawingWidth() {
        const width = this.result.clientWidth;
        return width ? Math.max(240, Math.min(800, width - 2)) : '';
    }

    /** The drawing, or a note why there is none. */
    picture({ drawing, drawingProblem: problem }) {
        if (problem) {
            return h('p.problem', { role: 'note' },
                serverNode(problem.hint ? `${problem.reason} (${problem.hint})` : problem.reason));
        }
        const picture = drawing ? chartPicture(drawing) : null;
        return picture && h('figure.chart', { tabindex: '0', 'aria-label': t('console.chart') }, picture);
    }

    show(answer, picture, time) {
        const save = (form) =>
            () => download(this.path({ format: form }), `${form === 'svg' ? 'chart' : 'result'}.${form}`)
                .catch((error) => shell.fail(error));
        const forms = [['CSV', 'csv'], ['JSON', 'json'], ...(answer.kind === 'table' ? [] : [['SVG', 'svg']])];
        this.drawn = picture === undefined ? this.drawn : picture;
        const columns = answer.columns.map((c) => ({ title: c.name, detail: c.text === c.name ? '' : c.text,
            isNumber: isNumber(c.type) }));
        const rows = answer.rows.map((row) => row.map((value, i) => this.cell(value, answer.columns[i])));
        fill(this.result,
            h('div.line.resulttools', {}, resultStatus(answer.rows.length, answer.complete ? '' : 'rows', time),
                h('span.grow'),
                forms.map(([name, form]) => button(name, save(form),
                    { class: 'small', 'aria-label': t('result.save', { form: name }) }))),
        answer.notes.map((n) => h('p.problem', { role: 'note' }, serverNode(n))), this.drawn,
        rows.length ? resultTable(t('console.result'), columns, rows) : empty(t('result.none'), t('console.noneHint')));
        shell.announce(t('result.rows', { count: answer.rows.length }));
    }

    cell(value, column) {
        if (value === null) return h('td', { class: isNumber(column.type) ? 'num' : '' }, h('span.nil', {}, 'nil'));
        if (typeof value === 'number') return h('td.num', {}, number(value));
        if (typeof value === 'boolean') return h('td', {}, t(value ? 'value.yes' : 'value.no'));
        if (isNumber(column.type)) return h('td.num', {}, stored(value));
        if (column.type === 'date') return h('td', {}, shownDate(value));
        const object = column.type === 'relationship' ? /\/([^/]+\/p\d+)$/.exec(value)?.[1] : null;
        return h('td', {}, object ? h('a', { href: link(`/stores/${this.store.id}/objects/${object}`) }, stored(object))
            : stored(value));
    }
}

const isNumber = (type) => ['integer16', 'integer32', 'integer64', 'decimal', 'double', 'float'].includes(type);
