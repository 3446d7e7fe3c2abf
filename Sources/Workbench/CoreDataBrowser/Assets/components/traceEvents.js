/** The events of a recording as a table that holds only the rows in sight, whatever their number. */
import { h, fill, stored } from '../base/dom.js';
import { t, number } from '../base/i18n.js';
import { duration } from './traceTimeline.js';

const rowHeight = 26;
const pageSize = 200;
/** The greatest height that browsers lay out exactly; beyond it the bar stands for more than a pixel a pixel. */
const greatestHeight = 8e6;

/** @param {(offset: number, limit: number) => Promise<any>} ask gives a window of events */
export function traceEvents(ask) {
    const rows = h('div.eventrows', { role: 'rowgroup' });
    const space = h('div.eventspace', {});
    const box = h('div.events', { role: 'table', tabindex: 0, 'aria-label': t('instruments.events') }, space, rows);
    const detail = h('div.eventdetail', { role: 'region', 'aria-label': t('instruments.detail'),
        'aria-live': 'polite' });
    const element = h('div', {}, box, detail);
    let total = 0;
    let pages = new Map();
    let turn = 0;
    let pending = 0;

    const height = () => Math.min(total * rowHeight, greatestHeight);
    const first = () => {
        const room = height() - box.clientHeight;
        const most = Math.max(0, total - Math.floor(box.clientHeight / rowHeight));
        return room <= 0 ? 0 : Math.round((box.scrollTop / room) * most);
    };
    const page = (index) => {
        const at = Math.floor(index / pageSize);
        if (pages.has(at)) return pages.get(at);
        const asked = turn;
        pages.set(at, null);
        // Pages far from sight are let go of.
        if (pages.size > 40) pages.delete(pages.keys().next().value);
        ask(at * pageSize, pageSize).then((reply) => {
            if (asked !== turn) return;
            pages.set(at, reply.events);
            later();
        }).catch(() => { if (asked === turn) pages.delete(at); });
        return null;
    };
    const draw = () => {
        pending = 0;
        const start = first();
        const count = Math.min(total - start, Math.ceil(box.clientHeight / rowHeight) + 1);
        rows.style.setProperty('--top', `${box.scrollTop}px`);
        fill(rows, Array.from({ length: Math.max(count, 0) }, (_, i) => row(start + i)));
    };
    const later = () => { pending ||= requestAnimationFrame(draw); };
    const row = (index) => {
        const event = page(index)?.[index % pageSize];
        if (!event) return h('div.event', { role: 'row' }, h('span.dim', { role: 'cell' }, '…'));
        const { facts } = event;
        const what = facts.sql ?? facts.predicate ?? facts.relationship ?? facts.detail ?? '';
        const element =
            h('div.event', { role: 'row', 'aria-rowindex': index + 1, class: event.parent === null ? '' : 'inner' },
                h('span.num', { role: 'cell' }, duration(event.start)),
                h('span', { role: 'cell', class: `kind ${event.kind}` }, t(`instruments.kind.${event.kind}`)),
                h('span', { role: 'cell' }, stored(facts.entity ?? '')), h('span.num', { role: 'cell' },
                    duration(event.duration)),
                h('span.num', { role: 'cell' }, number(facts.rows ?? 0)), h('span.what', { role: 'cell' },
                    stored(what)));
        element.addEventListener('click', () => showDetails(event));
        return element;
    };
    const showDetails = (event) => {
        const facts = Object.entries(event.facts).map(([key, value]) => [h('dt', {}, key),
            h('dd', {},
                Array.isArray(value) ? value.map((line) => h('pre', {}, stored(line))) : stored(String(value)))]);
        fill(detail, h('h3', {}, t(`instruments.kind.${event.kind}`), ' ', duration(event.duration)),
            event.site && h('p', {}, t('instruments.site'), ' ', h('code', {}, stored(event.site))), h('dl', {},
                facts));
    };
    box.addEventListener('scroll', later, { passive: true });
    box.addEventListener('keydown', (event) => {
        const rowsInSight = Math.floor(box.clientHeight / rowHeight);
        if (event.key !== 'Enter') return;
        const shown = page(first())?.[first() % pageSize];
        if (shown && rowsInSight) showDetails(shown);
    });
    return {
        element,
        /** Shows a new selection of so many events. */
        show(count) {
            turn += 1;
            pages = new Map();
            total = count;
            space.style.setProperty('--height', `${height()}px`);
            box.setAttribute('aria-rowcount', String(count));
            box.scrollTop = 0;
            fill(detail);
            later();
        },
        /** Brings the event of a finding into sight. */
        reveal(index) {
            box.scrollIntoView({ block: 'nearest' });
            box.focus();
            box.scrollTop = (index / Math.max(total, 1)) * (height() - box.clientHeight);
            later();
        },
    };
}
