/** One recording: a timeline, what a stretch of it comes to, what is found in it, and the events themselves. */
import { h, fill, button, debounce, stored, uid } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { serverNode } from '../base/serverNode.js';
import { note } from '../base/router.js';
import { download, needStyle } from '../base/download.js';
import { shell } from '../components/shell.js';
import { failure, loading } from '../components/states.js';
import { traceTimeline, duration } from '../components/traceTimeline.js';
import { traceEvents } from '../components/traceEvents.js';
import { callTree, comparisonTable, findingList, totalsTables } from '../components/traceParts.js';

const kinds = ['fetch', 'save', 'fault', 'members', 'prefetch', 'merge', 'wait', 'statement'];

/** How often a recording that goes on is loaded again, in milliseconds. */
const refreshTime = 2000;

export async function render({ params, query, signal }) {
    await Promise.all([needStyle('instruments'), needStrings('instruments')]);
    const view = new InstrumentView(params.trace, query, signal);
    await view.load();
    return { element: view.element, title: view.name,
        crumbs: [[t('stores.title'), '/'], [t('instruments.title'), '/instruments'], [view.name]] };
}

class InstrumentView {
    /** @param {string} id @param {URLSearchParams} query @param {AbortSignal} signal */
    constructor(id, query, signal) {
        this.id = id;
        this.signal = signal;
        this.asking = null;
        this.length = 0;
        this.name = id;
        /** @type {Record<string, string | number>} */
        this.state = Object.fromEntries(
            ['context', 'queue', 'entity', 'kind', 'from', 'to'].map((key) => [key, query.get(key) ?? '']));
        this.later = debounce(200, () => this.load());
        this.timeline = traceTimeline((from, to) => { this.select(from, to); }, signal);
        this.events = traceEvents((offset, limit) => api.get(this.path('events', { offset, limit }), signal));
        this.head = h('p.dim', {});
        this.result = h('div.resultplace', { 'aria-live': 'polite' });
        this.stopping = h('span');
        this.comparing = h('span');
        this.stretch = h('span.dim', { role: 'status' });
        this.again = 0;
        signal.addEventListener('abort',
            () => { this.asking?.abort(); this.later.cancel(); clearTimeout(this.again); });
        this.element = h('div.page.instrument', {}, this.title = h('h1', {}), this.head, this.tools(),
            this.timeline.element, this.result,
            h('h2', {}, t('instruments.events')), this.events.element);
    }

    /** The filter, and what is done with the recording. */
    tools() {
        const field = (key) => {
            const input = h('input.short', { type: 'text', id: uid('filter'), is: { value: this.state[key] },
                spellcheck: 'false' });
            input.addEventListener('input', () => { this.state[key] = input.value.trim(); this.later(); });
            return [h('label', { for: input.id }, t(`instruments.${key}`)), input];
        };
        const kind = h('select', { id: uid('kind') }, h('option', { value: '' }, t('instruments.all')),
            kinds.map((name) => h('option', { value: name, selected: name === this.state.kind },
                t(`instruments.kind.${name}`))));
        kind.addEventListener('change', () => { this.state.kind = kind.value; this.load(); });
        const save = () => download(this.path('export'), 'trace.json').catch((error) => shell.fail(error));
        return h('div.line.instrumenttools', { role: 'toolbar', 'aria-label': t('list.tools') },
            h('label', { for: kind.id }, t('instruments.kind')), kind, field('context'), field('queue'),
            field('entity'),
            button(t('instruments.whole'), () => this.select(null, null)), this.stretch, h('span.grow'), this.comparing,
            this.stopping,
            button(t('instruments.export'), save), button(t('instruments.refresh'), () => this.load()));
    }

    path(part, more = {}) { return address(['instruments', this.id, part], { ...this.state, ...more }); }

    select(from, to) {
        this.state.from = from === null ? '' : Math.max(0, Math.floor(from));
        this.state.to = to === null ? '' : Math.ceil(to);
        this.load();
    }

    /** @param {boolean} [isRefresh] whether nothing was asked for, so that nothing is announced */
    async load(isRefresh = false) {
        this.asking?.abort();
        const asking = new AbortController();
        this.asking = asking;
        note(this.state);
        if (!this.result.hasChildNodes()) fill(this.result, loading(t('instruments.reading')));
        this.result.setAttribute('aria-busy', 'true');
        try {
            const whole = address(['instruments', this.id, 'timeline'],
                { ...this.state, from: '', to: '', count: this.timeline.columns });
            const [report, timeline] = await Promise.all([api.get(this.path(''), asking.signal),
                api.get(whole, asking.signal)]);
            if (this.asking !== asking) return;
            this.show(report, timeline);
            if (!isRefresh) shell.announce(t('instruments.summary', { count: report.selected }));
            this.goOn(report.shown.recording);
        } catch (error) {
            if (this.asking !== asking || error.name === 'AbortError') return;
            fill(this.result, failure(error, () => this.load()));
        } finally {
            if (this.asking === asking) this.result.removeAttribute('aria-busy');
        }
    }

    /** Loads again while events are still being recorded, unless the page is hidden or a select or field is in use. */
    goOn(isRecording) {
        clearTimeout(this.again);
        if (!isRecording || this.signal.aborted) return;
        this.again = setTimeout(() => {
            const isBusy = document.hidden || this.asking?.signal.aborted
                || this.element.querySelector('select:focus, input:focus');
            if (isBusy) this.goOn(true);
            else this.load(true);
        }, refreshTime);
    }

    show(report, timeline) {
        const { trace } = report;
        this.name = report.shown.name;
        fill(this.title, stored(this.name));
        fill(this.head, stored(trace.process), ` (${trace.pid}) · `, t('instruments.summary', { count: trace.events }),
            ` · ${duration(trace.length)}`,
            trace.dropped > 0 && ` · ${t('instruments.dropped', { count: trace.dropped })}`,
            ` · ${t('instruments.cached', { count: trace.cachedFaults })}`);
        fill(this.stopping,
            report.shown.recording && button(t('instruments.stop'), () => this.stop(), { class: 'primary' }));
        this.timeline.show(timeline, this.state.from === '' ? null : [Number(this.state.from), Number(this.state.to)]);
        fill(this.stretch,
            this.state.from !== '' && `${duration(Number(this.state.from))} – ${duration(Number(this.state.to))}`);
        const problems = [report.shown.problem, ...trace.notes].filter(Boolean);
        fill(this.result, problems.map((text) => h('p.problem', {}, serverNode(text))),
            findingList(report.findings, (event) => this.events.reveal(event)), totalsTables(report.totals),
            callTree(report.callTree));
        this.events.show(report.selected);
        this.offerComparison();
    }

    async stop() {
        try {
            await api.post(`/instruments/${this.id}/stop`);
            await this.load();
        } catch (error) {
            shell.fail(error);
        }
    }

    async offerComparison() {
        if (this.comparing.hasChildNodes()) return;
        const { traces } = await api.get('/instruments', this.signal).catch(() => ({ traces: [] }));
        const others = traces.filter((trace) => trace.id !== this.id);
        if (!others.length || this.comparing.hasChildNodes()) return;
        const choice = h('select', { 'aria-label': t('instruments.compare') },
            h('option', { value: '' }, t('instruments.compare')),
            others.map((trace) => h('option', { value: trace.id }, trace.name)));
        choice.addEventListener('change', async () => {
            if (!choice.value) return;
            try {
                const reply = await api.get(this.path(`compare/${choice.value}`), this.signal);
                this.result.prepend(comparisonTable(reply));
            } catch (error) {
                shell.fail(error);
            }
        });
        fill(this.comparing, choice);
    }
}
