/**
 * What other tabs and processes save: one stream for all tabs of a store.
 *
 * The tab that gets the store's lock reads the stream and hands on what it hears by `BroadcastChannel`; when it closes,
 * the next in line gets the lock. The stream is read by `fetch`, since it needs the tab's secret in a header.
 */
import { api, root } from './api.js';
import { editsOf } from './edits.js';
import { storeInfo } from './store.js';

const followed = new Set();
const target = new EventTarget();
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Listens to what is saved in stores: `listener({store, kind, …})`; ends with the signal. */
export function onLive(listener, signal) {
    target.addEventListener('live', (/** @type {CustomEvent} */ e) => listener(e.detail), { signal });
}

/** Begins to follow a store; done once. */
export function follow(store) {
    if (followed.has(store.id)) return;
    followed.add(store.id);
    const name = `opencoredata:${root}:live:${store.id}`;
    const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
    channel?.addEventListener('message', ({ data }) => hear(store, data));
    const lead = async () => {
        for (let wait = 500; ; wait = Math.min(wait * 2, 15000)) {
            const isEnd = await read(store, (event) => {
                wait = 500;
                hear(store, event);
                channel?.postMessage(event);
            }).catch((error) => error.status === 404 || error.status === 401 || error.status === 405);
            if (isEnd === true) return;
            await pause(wait);
        }
    };
    if (navigator.locks) navigator.locks.request(name, lead).catch(() => {});
    else lead();
}

async function read(store, each) {
    const response = await fetch(`${root}/stores/${store.id}/events?state=${encodeURIComponent(store.state)}`,
        { headers: api.headers({ Accept: 'text/event-stream' }) });
    if (!response.ok) throw Object.assign(new Error('events'), { status: response.status });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ;) {
        const { value, done } = await reader.read();
        if (done) return false;
        const pieces = (rest + value).split(/\r?\n\r?\n/);
        rest = pieces.pop() ?? '';
        for (const piece of pieces) {
            const data = piece.split(/\r?\n/).filter((l) => l.startsWith('data:')).map((l) => l.slice(5).trimStart())
                .join('\n');
            if (data) each(JSON.parse(data));
        }
    }
}

async function hear(store, event) {
    target.dispatchEvent(new CustomEvent('live', { detail: { ...event, store: store.id } }));
    const info = await storeInfo(store.id);
    // A file that was put back before the stream was read counts as a change of unknown content.
    if (event.kind === 'file' || event.many) reportFile(info, event);
    if (event.kind === 'writing') info.writing = event.on;
    if (event.kind === 'saved') info.count().catch(() => {});
    if (event.kind === 'edited' && event.tab === api.session?.tab) editsOf(store.id).load().catch(() => {});
}

/**
 * Reports what happened to a store's file as a failing request does; nothing happened, or it was opened again, where
 * there is no problem.
 */
function reportFile({ id, summary }, { problem, reopened }) {
    const code = problem ? `file${problem[0].toUpperCase()}${problem.slice(1)}` : null;
    dispatchEvent(new CustomEvent('file',
        { detail: { store: id, code, path: summary.path, reopens: summary.switchable, reopened } }));
}
