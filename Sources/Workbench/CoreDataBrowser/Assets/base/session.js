/**
 * Sessions: a tab has a name and a secret, which every request carries beside the cookie.
 *
 * | the page begins with | it does |
 * |---|---|
 * | `#tab=…&secret=…` | moves both to `sessionStorage` and out of the address |
 * | a tab in `sessionStorage` that no other page holds | goes on with it (a reload) |
 * | a tab that another page holds | asks for one of its own (a duplicated tab) |
 * | nothing | asks another page of the same origin, then the server without a tab (a program's own users) |
 */
import { api, root } from './api.js';

const key = `opencoredata:${root}`;
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(key) : null;
const nonce = `${performance.timeOrigin}-${Math.random()}`;

let wasPrinted = false;
/** Whether the page began with the address that the program printed. */
export const isFromPrintedAddress = () => wasPrinted;

/** Finds or makes this page's tab; false where there is no session. */
export async function beginSession() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    if (fragment.has('secret')) {
        wasPrinted = true;
        keep({ tab: fragment.get('tab') ?? '', secret: fragment.get('secret') ?? '' });
        history.replaceState(history.state, '', location.pathname + location.search);
    }
    const own = read();
    if (own) api.session = own;
    if (own && !(await hold(own.tab))) {
        const fresh = await another().catch(() => null);
        if (fresh) await keep(fresh);
    }
    answerOthers();
    if (api.session) return true;
    const given = await ask();
    if (given) {
        await keep(given);
        return true;
    }
    return api.get('/').then(() => true, (error) => error.status !== 401 && error.status !== 403);
}

/** Trades a code that the program printed for a session. */
export async function redeem(code) {
    await keep(await api.post('/session', { code }));
}

function read() {
    try {
        const found = JSON.parse(sessionStorage.getItem(key) ?? 'null');
        return found?.secret ? found : null;
    } catch {
        return null;
    }
}

async function keep(session) {
    api.session = { tab: session.tab, secret: session.secret };
    sessionStorage.setItem(key, JSON.stringify(api.session));
    await hold(session.tab);
}

/** @type {Set<string>} */
const held = new Set();

/** Holds a lock with the tab's name as long as the page lives; false where another page has it. */
function hold(tab) {
    if (!navigator.locks || held.has(tab)) return Promise.resolve(true);
    return new Promise((done) => {
        navigator.locks.request(`${key}:tab:${tab}`, { ifAvailable: true }, (lock) => {
            done(lock !== null);
            if (!lock) return undefined;
            held.add(tab);
            return new Promise(() => {});
        }).catch(() => done(true));
    });
}

const another = () => api.post('/tabs', {});

/**
 * Gives tabs of their own to pages that ask. Of all pages that hear it one answers: the server keeps a number of tabs.
 */
function answerOthers() {
    channel?.addEventListener('message', ({ data }) => {
        if (data?.ask !== 'tab' || data.from === nonce || !api.session) return;
        const give = async (lock) => {
            const given = lock && (await another().catch(() => null));
            if (!given) return;
            channel.postMessage({ give: data.from, session: given });
            // Who hears it later finds the lock taken.
            await new Promise((done) => setTimeout(done, 5000));
        };
        if (navigator.locks) navigator.locks.request(`${key}:give:${data.from}`, { ifAvailable: true }, give)
            .catch(() => {});
        else give(true);
    });
}

function ask() {
    if (!channel) return Promise.resolve(null);
    return new Promise((done) => {
        const listener = ({ data }) => {
            if (data?.give !== nonce) return;
            channel.removeEventListener('message', listener);
            done(data.session);
        };
        channel.addEventListener('message', listener);
        channel.postMessage({ ask: 'tab', from: nonce });
        setTimeout(() => done(null), 400);
    });
}
