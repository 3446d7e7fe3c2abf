/** The console of SQL: one statement that only reads, its parameters as a form, and the rows that it gives. */
import { h, fill, button, debounce, uid } from '../base/dom.js';
import { api, address, ApiError } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { link, note } from '../base/router.js';
import { download, needStyle } from '../base/download.js';
import { storeInfo } from '../base/store.js';
import { shell } from '../components/shell.js';
import { openMenu } from '../components/menu.js';
import { savedQueries } from '../components/savedQueries.js';
import { empty, failure, working } from '../components/states.js';
import { meaningText, resultStatus, resultTable, sqlCell } from '../components/resultTable.js';
import { sqlField } from '../components/sqlField.js';
import { sqlTables } from '../components/sqlTables.js';

const isParameter = (key) => /^p[:@$?]/.test(key);

export async function render({ params, query, signal }) {
    const store = await storeInfo(params.store);
    const frame = { store, title: t('sql.title'),
        crumbs: [[t('stores.title'), '/'], [store.summary.name, `/stores/${store.id}`], [t('sql.title')]] };
    const [schema] = await Promise.all([api.get(`/stores/${store.id}/sql/schema`, signal).catch((error) => error),
        needStyle('console'), needStrings('console')]);
    if (schema instanceof Error) {
        if (!(schema instanceof ApiError) || !['notSQLite', 'notAllowed', 'consoleOff'].includes(schema.code)) {
            throw schema;
        }
        const to = h('a.button', { href: link(`/stores/${store.id}/console`) }, t('console.title'));
        return { ...frame, element: h('div.page', {}, h('h1', {}, t('sql.title')), empty(t(`sql.${schema.code}`),
            schema.code === 'consoleOff' ? `${schema.message}. ${schema.hint}` : t(`sql.${schema.code}Hint`), to)) };
    }
    const console = new SQLView(store, schema, signal);
    console.follow(query);
    return { ...frame, element: console.element, adopt: (visit) => { console.follow(visit.query); return true; } };
}

class SQLView {
    /**
     * @param {import('../base/store.js').StoreInfo} store
     * @param {{tables: any[], functions: string[]}} schema
     * @param {AbortSignal} signal
     */
    constructor(store, schema, signal) {
        this.store = store;
        this.signal = signal;
        this.parameters = new Map();
        this.asking = null;
        this.wasRun = false;
        this.field = sqlField({ value: '', schema, label: t('sql.label'),
            changed: () => { this.wasRun = false; this.keep(); this.check(); }, run: () => this.run() });
        this.limit = h('input', { type: 'number', min: 1, max: 100000, step: 1, id: uid('limit'), class: 'short' });
        this.timeout = h('input', { type: 'number', min: 1, max: 600, step: 1, id: uid('timeout'), class: 'short' });
        this.form = h('div.parameters', { role: 'group', 'aria-label': t('sql.parameters'), hidden: true });
        this.result = h('div.resultplace', {});
        this.check = debounce(250, () => this.ask());
        for (const field of [this.limit, this.timeout]) field.addEventListener('change', () => this.keep());
        signal.addEventListener('abort', () => { this.asking?.abort(); this.check.cancel(); });
        const runs = button(t('sql.run'), () => this.run(), { class: 'primary', title: 'Ctrl-Enter' });
        const saved = button(t('queries.title'), async (e) => {
            const at = e.currentTarget;
            openMenu(at, await savedQueries(store, 'sql', this.field.input.value.trim() && this.question));
        }, { 'aria-haspopup': 'menu' });
        this.stop = button(t('sql.stop'), () => this.asking?.abort(), { hidden: true });
        this.element = h('div.page.console', {}, h('h1', {}, t('sql.title')), h('p.dim', {}, t('sql.about')),
            this.field.element, this.form,
            h('div.line.consoletools', { role: 'toolbar', 'aria-label': t('list.tools') }, runs, this.stop,
                h('label', { for: this.limit.id }, t('sql.limit')), this.limit,
                h('label', { for: this.timeout.id }, t('sql.timeout')), this.timeout, h('span.grow'), saved),
            sqlTables(schema, (name) => this.field.insert(name)), this.result);
    }

    /** Takes over what an address says; a statement that it wants run is run. */
    follow(query) {
        this.field.input.value = query.get('query') ?? '';
        this.limit.value = query.get('limit') ?? '1000';
        this.timeout.value = query.get('timeout') ?? '5';
        this.parameters =
            new Map([...query].filter(([key]) => isParameter(key)).map(([key, text]) => [key.slice(1), text]));
        this.field.showProblem(null);
        this.asking?.abort();
        if (query.get('run') === '1' && this.field.input.value.trim()) this.ask().then(() => this.run());
        else {
            fill(this.result, empty(t('sql.empty'), t('sql.emptyHint')));
            this.ask();
        }
    }

    get state() {
        const values =
            [...this.parameters].filter(([name, text]) => text !== '' && (!this.names || this.names.includes(name)));
        return { query: this.field.input.value, ...Object.fromEntries(values.map(([name, text]) => [`p${name}`, text])),
            limit: this.limit.value === '1000' ? '' : this.limit.value,
            timeout: this.timeout.value === '5' ? '' : this.timeout.value };
    }

    /** The question as it is saved, which is run when it is opened. */
    get question() {
        return new URLSearchParams(Object.entries({ ...this.state, run: '1' }).filter(([, v]) => v)).toString();
    }

    keep() { note({ ...this.state, run: this.wasRun ? '1' : '' }); }

    /** Asks for the statement's parameters, and what is wrong with it. */
    async ask() {
        const query = this.field.input.value;
        if (!query.trim()) { this.field.showProblem(null); return this.drawForm([]); }
        const reply = await api.get(address(['stores', this.store.id, 'sql', 'check'], { query }), this.signal)
            .catch(() => null);
        if (!reply || query !== this.field.input.value || this.signal.aborted) return undefined;
        this.field.showProblem(reply.error);
        if (reply.valid) this.drawForm(reply.parameters);
        return undefined;
    }

    /** A field for each parameter; an empty one is NULL. */
    drawForm(names) {
        if (this.names?.join() === names.join()) return;
        this.names = names;
        this.form.hidden = !names.length;
        fill(this.form, names.length > 0 && h('p.dim', {}, t('sql.parametersHint')),
            h('div.formgrid', {}, names.map((name) => {
                const input = h('input.mono', { type: 'text', id: uid('parameter'), placeholder: 'NULL',
                    spellcheck: 'false', is: { value: this.parameters.get(name) ?? '' }, data: { parameter: name } });
                for (const event of ['input', 'change']) {
                    input.addEventListener(event, () => { this.parameters.set(name, input.value); this.keep(); });
                }
                input.addEventListener('keydown',
                    (e) => { if (e.key === 'Enter') { e.preventDefault(); this.run(); } });
                return [h('label.mono', { for: input.id }, name), input];
            })));
    }

    /** The statement's address, in which parameters without a value are NULL. */
    path(more = {}) {
        const given =
            Object.fromEntries((this.names ?? []).map((name) => [`p${name}`, this.parameters.get(name) || '@null']));
        return address(['stores', this.store.id, 'sql'], { ...this.state, ...given, ...more });
    }

    async run() {
        if (!this.field.input.value.trim()) return this.field.input.focus();
        this.check.cancel();
        this.asking?.abort();
        const asking = new AbortController();
        this.asking = asking;
        this.wasRun = true;
        this.keep();
        this.stop.hidden = false;
        fill(this.result, working(t('sql.running')));
        const begin = performance.now();
        try {
            // The form is that of the statement as it is now.
            await this.ask();
            const answer = await api.get(this.path(), asking.signal);
            if (this.asking === asking) this.show(answer, performance.now() - begin);
        } catch (error) {
            if (this.asking !== asking) return undefined;
            if (error.name === 'AbortError') fill(this.result, empty(t('sql.stopped'), ''));
            else this.fail(error);
        } finally {
            if (this.asking === asking) { this.asking = null; this.stop.hidden = true; }
        }
        return undefined;
    }

    fail(error) {
        const reply = error.body?.error;
        if (!['badSQL', 'refusedSQL', 'badParameter'].includes(error.code)) {
            return fill(this.result, failure(error, () => this.run()));
        }
        this.field.showProblem(reply);
        const reason = Object.assign(new Error(error.message), error.code === 'refusedSQL'
            ? { hint: t('sql.refusedHint'), lang: error.lang }
            : { hint: error.hint, lang: error.lang, hintLang: error.hintLang });
        return fill(this.result, failure(reason));
    }

    show(answer, time) {
        this.field.showProblem(null);
        const columns = answer.columns.map((c, i) => ({ title: c.name, detail: meaningText(c),
            isNumber: c.isDate || answer.rows.some((r) => typeof r[i] === 'number') }));
        const rows = answer.rows.map((row) =>
            row.map((value, i) => sqlCell(value, { ...answer.columns[i], isNumber: columns[i].isNumber })));
        const save = (format) =>
            () => download(this.path({ format }), `result.${format}`).catch((error) => shell.fail(error));
        fill(this.result,
            h('div.line.resulttools', {}, resultStatus(answer.rows.length, answer.stopped, Math.round(time)),
                h('span.grow'),
                button('CSV', save('csv'), { class: 'small', 'aria-label': t('result.save', { form: 'CSV' }) }),
                button('JSON', save('json'), { class: 'small', 'aria-label': t('result.save', { form: 'JSON' }) })),
        rows.length ? resultTable(t('sql.result'), columns, rows)
            : answer.stopped === 'time' ? empty(t('sql.timeOut'), t('sql.timeOutHint')) : empty(t('result.none'), ''));
        shell.announce(
            answer.stopped && !rows.length ? t('sql.timeOut') : t('result.rows', { count: answer.rows.length }));
    }
}
