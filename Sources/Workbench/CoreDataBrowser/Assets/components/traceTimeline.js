/** The timeline of a recording, drawn on a canvas: a column a part of the time, whatever the number of events. */
import { h } from '../base/dom.js';
import { locale, t } from '../base/i18n.js';

const kinds = ['fetch', 'save', 'fault', 'members', 'prefetch', 'merge', 'wait', 'statement'];
const rowHeight = 18;

/** @type {[number, string][]} */
const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/** Nanoseconds as a text of three digits with a unit. */
export function duration(nanoseconds) {
    const [unit, name] = units.find(([u]) => nanoseconds >= u) ?? units.at(-1);
    return `${(nanoseconds / unit).toLocaleString(locale(), { maximumSignificantDigits: 3 })} ${name}`;
}

/**
 * The drawing; a stretch is chosen with the pointer, or with Shift and the arrow keys.
 * @param {(from: number | null, to: number | null) => void} chosen
 * @param {AbortSignal} signal
 */
export function traceTimeline(chosen, signal) {
    const canvas = h('canvas', { tabindex: 0, role: 'img', 'aria-label': t('instruments.timeline') });
    const labels = h('div.timelinelabels', { 'aria-hidden': 'true' },
        kinds.map((kind) => h('span', {}, t(`instruments.kind.${kind}`))));
    const tip = h('p.dim.timelinetip', {}, t('instruments.timelineHint'));
    const element = h('div.timeline', {}, labels, h('div.timelineplace', {}, canvas), tip);
    let shown = null;
    /** @type {[number, number] | null} */
    let stretch = null;
    let drag = null;
    let pending = 0;

    const draw = () => {
        pending = 0;
        if (!shown) return;
        const scale = devicePixelRatio || 1;
        const width = canvas.clientWidth;
        const height = rowHeight * kinds.length;
        if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
        if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
        const style = getComputedStyle(element);
        const pen = canvas.getContext('2d');
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        pen.clearRect(0, 0, width, height);
        const column = width / shown.buckets;
        const length = (shown.to - shown.from) / shown.buckets;
        kinds.forEach((kind, row) => {
            const { counts, times } = shown.kinds[kind];
            pen.fillStyle = style.getPropertyValue(`--k${row}`) || style.color;
            for (let i = 0; i < shown.buckets; i += 1) {
                if (counts[i] === 0 && times[i] === 0) continue;
                // What takes all of a part's time fills the row; what is short is seen all the same.
                const share = Math.max(0.15, Math.min(1, times[i] / length));
                pen.fillRect(i * column, (row + 1) * rowHeight - 2 - share * (rowHeight - 4), Math.max(column, 1),
                    share * (rowHeight - 4));
            }
        });
        if (!stretch) return;
        pen.fillStyle = style.getPropertyValue('--stretch');
        pen.fillRect(place(stretch[0]), 0, Math.max(place(stretch[1]) - place(stretch[0]), 2), height);
    };
    const later = () => { pending ||= requestAnimationFrame(draw); };
    const place = (time) => ((time - shown.from) / (shown.to - shown.from)) * canvas.clientWidth;
    const time = (event) => shown.from + Math.max(0, Math.min(1,
        (event.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth)) * (shown.to - shown.from);

    canvas.addEventListener('pointerdown', (event) => {
        if (!shown || event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        drag = time(event);
        stretch = [drag, drag];
        later();
    });
    canvas.addEventListener('pointermove', (event) => {
        if (drag === null) return;
        const now = time(event);
        stretch = [Math.min(drag, now), Math.max(drag, now)];
        later();
    });
    canvas.addEventListener('pointerup', () => {
        if (drag === null) return;
        drag = null;
        // A click chooses the part that it meets.
        const least = (shown.to - shown.from) / shown.buckets;
        if (stretch[1] - stretch[0] < least) stretch[1] = stretch[0] + least;
        chosen(...stretch);
    });
    canvas.addEventListener('keydown', (event) => {
        if (!shown) return;
        const step = (shown.to - shown.from) / 20;
        const [from, to] = stretch ?? [shown.from, shown.from + step];
        const way = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (event.key === 'Escape' && stretch) {
            stretch = null;
            chosen(null, null);
        } else if (way && event.shiftKey) {
            stretch = [from, Math.min(shown.to, Math.max(from + step, to + way))];
            chosen(...stretch);
        } else if (way) {
            const move = Math.max(shown.from - from, Math.min(way, shown.to - to));
            stretch = [from + move, to + move];
            chosen(...stretch);
        } else return;
        event.preventDefault();
        later();
    });
    const observer = new ResizeObserver(later);
    observer.observe(canvas);
    signal.addEventListener('abort', () => observer.disconnect());
    return {
        element,
        /** As many parts as the drawing has room for. */
        get columns() { return Math.max(50, Math.min(2000, Math.round((canvas.clientWidth || 800) / 2))); },
        show(timeline, part) {
            shown = timeline;
            stretch = part;
            later();
        },
    };
}
