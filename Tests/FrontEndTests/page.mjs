// What the modules of the front end find in a person's browser, as far as those without a look need it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const assets = fileURLToPath(new URL('../../Sources/Workbench/CoreDataBrowser/Assets/', import.meta.url));

// The modules are served to browsers, where each script is a module; here a manifest beside a copy says so.
const folder = mkdtempSync(join(tmpdir(), 'opencoredata-front-end-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'assets'));
cpSync(join(assets, 'base'), join(folder, 'assets/base'), { recursive: true });
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');

/** A storage as `sessionStorage`; `limit` is the length of the longest text that it takes. */
export class Storage {
    items = new Map();
    limit = Infinity;
    getItem(key) { return this.items.get(key) ?? null; }
    setItem(key, text) {
        if (text.length > this.limit) throw new Error('QuotaExceededError');
        this.items.set(key, text);
    }
}

export const events = new EventTarget();

/** Sets what is global in a browser. */
export function set(name, value) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

set('sessionStorage', new Storage());
set('localStorage', new Storage());
set('navigator', { languages: ['en-GB'] });
set('document', { documentElement: { dataset: {}, lang: '' }, activeElement: null, querySelector: () => null });
set('location', { pathname: '/', search: '', hash: '', origin: 'http://localhost' });
set('history',
    { state: null, pushed: [], pushState(state, title, path) { this.pushed.push(path); }, replaceState() {} });
set('addEventListener', events.addEventListener.bind(events));
set('removeEventListener', events.removeEventListener.bind(events));
set('dispatchEvent', events.dispatchEvent.bind(events));
set('HTMLElement', class HTMLElement {});
globalThis.CustomEvent ?? set('CustomEvent', class extends Event {
    constructor(type, { detail } = {}) {
        super(type);
        this.detail = detail;
    }
});

/** The requests that were sent, as `[method, path, body]`, and what answers them. */
export const server = {
    asked: [],
    /** @type {(method: string, path: string, body: any) => any} */
    answer: () => ({}),
};
/** What the server would say of the page's language; a test that formats values sets the table of styles. */
export const speech = { languages: [['en', 'English'], ['de', 'Deutsch'], ['fr', 'Français'], ['ar', 'العربية']],
    formats: /** @type {any} */ (null) };

function spoken(address) {
    const asked = new URL(address, 'http://localhost').searchParams.get('language') || 'en';
    const language = speech.languages.some(([tag]) => tag === asked) ? asked : 'en';
    return { ...speech, language, direction: language === 'ar' ? 'rtl' : 'ltr',
        locale: speech.formats?.locale ?? { en: 'en-US' }[language] ?? language };
}

set('fetch', async (address, { method = 'GET', body } = {}) => {
    if (address.includes('/language?')) return new Response(JSON.stringify(spoken(address)));
    if (address.includes('/assets/strings/')) {
        return new Response(readFileSync(join(assets, address.slice(address.indexOf('/assets/') + 8))));
    }
    const path = address.slice(folder.length);
    const sent = body === undefined ? undefined : JSON.parse(body);
    server.asked.push([method, path, sent]);
    const answer = await server.answer(method, path, sent);
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer));
});

/** A module of the front end, such as `base/zones.js`. */
export const load = (name) => import(pathToFileURL(join(folder, 'assets', name)).href);

/** The path under which the page is mounted here. */
export const root = folder;

/** Has the page speak a language, with its texts. */
export async function speak(language) {
    const { settings } = await load('base/settings.js');
    settings.language = language;
    await (await load('base/i18n.js')).loadStrings();
}
