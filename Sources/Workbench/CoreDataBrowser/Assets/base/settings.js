/** What a person chose for this page on this computer: theme, language, formats, time zone, density. */

const key = 'opencoredata:settings';
const defaults = { theme: 'auto', language: '', formats: '', zone: 'UTC', pane: true, facets: false };

/** @type {typeof defaults} */
export const settings = { ...defaults, ...read() };

/** Changes a setting and keeps it. */
export function choose(name, value) {
    settings[name] = value;
    try {
        localStorage.setItem(key, JSON.stringify(settings));
    } catch {
        // A person's browser may forbid storage: the choice then holds until the page goes.
    }
    applySettings();
    dispatchEvent(new CustomEvent('settings', { detail: name }));
}

/** Applies the theme. */
export function applySettings() {
    document.documentElement.dataset.theme = settings.theme;
}

function read() {
    try {
        return JSON.parse(localStorage.getItem(key) ?? '{}');
    } catch {
        return {};
    }
}
