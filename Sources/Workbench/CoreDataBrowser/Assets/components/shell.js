/** The frame of all views: bar at the top, entities at the side, the view, what is staged at the bottom. */
import { h, fill, append, button, uid } from '../base/dom.js';
import { errorTitle, t } from '../base/i18n.js';
import { link } from '../base/router.js';

/** @type {Record<string, HTMLElement>} */
const parts = {};
/** @type {import('../base/types.js').Openers['showSide']} */
let showSide;

export const shell = {
    /** Makes the frame; done once. @param {import('../base/types.js').Openers} openers */
    build(openers) {
        showSide = openers.showSide;
        const main = uid('main');
        parts.crumbs = h('nav.crumbs', { 'aria-label': t('shell.crumbs') });
        parts.tools = h('div.tools');
        parts.side = h('aside.side', { 'aria-label': t('shell.entities'), hidden: true, id: uid('side') });
        parts.main = h('main', { id: main, tabindex: '-1' });
        parts.bar = h('div.editbar', { hidden: true });
        parts.notices = h('div.notices');
        parts.live = h('div.unseen', { role: 'status', 'aria-live': 'polite' });
        parts.notes = h('div.toasts', { role: 'region', 'aria-label': t('shell.notes') });
        parts.progress = h('div.progress', { hidden: true, 'aria-hidden': 'true' });
        parts.menu = button('☰', () => this.toggleSide(), {
            class: 'plain sidetoggle', 'aria-label': t('shell.entities'), 'aria-expanded': 'false',
            'aria-controls': parts.side.id, hidden: true,
        });
        document.body.append(
            h('a.skip', { href: `#${main}`, on: { click: (e) => { e.preventDefault(); parts.main.focus(); } } },
                t('shell.skip')),
            h('header.top', {}, parts.menu,
                h('a.brand', { href: link('/'), 'aria-label': t('stores.title') },
                    h('img', { src: link('/assets/icon.svg'), alt: '', width: 22, height: 22 })),
                parts.crumbs, parts.tools,
                button('⌘', () => openers.openPalette(),
                    { class: 'plain', 'aria-label': t('palette.title'), title: `${t('palette.title')} (Ctrl-K)` }),
                button('⚙', () => openers.openPreferences(),
                    { class: 'plain', 'aria-label': t('settings.title'), title: t('settings.title') })),
            parts.progress, parts.notices, h('div.body', {}, parts.side, parts.main), parts.bar, parts.notes,
            parts.live);
        addEventListener('file', (/** @type {CustomEvent} */ { detail }) => openers.showFileProblem(detail));
        parts.side.addEventListener('keydown', (e) => e.key === 'Escape' && this.toggleSide(false));
        parts.side.addEventListener('click',
            (e) => e.target instanceof Element && e.target.closest('a') && this.toggleSide(false));
    },

    /**
     * Shows a view. `crumbs` are `[text, path]`, `store` makes the side and the bar of edits, `tools` go to the bar at
     * the top.
     * @param {HTMLElement} element
     */
    show(element, { crumbs = [], tools = [], store = null, wide = false } = {}) {
        fill(parts.main, element);
        parts.main.classList.toggle('wide', wide);
        fill(parts.crumbs, h('ol', {}, crumbs.map(([text, path], i) => h('li', {},
            path ? h('a', { href: link(path) }, h('bdi', {}, text))
                : h('span', { 'aria-current': i === crumbs.length - 1 ? 'page' : null }, h('bdi', {}, text))))));
        fill(parts.tools, tools);
        document.body.classList.toggle('hasside', Boolean(store));
        parts.menu.hidden = parts.side.hidden = !store;
        if (store) showSide(parts, store);
        else parts.bar.hidden = true;
        if (!store) delete parts.side.dataset.store;
    },

    toggleSide(open = !document.body.classList.contains('sideopen')) {
        document.body.classList.toggle('sideopen', open);
        parts.menu.setAttribute('aria-expanded', String(open));
        if (open) parts.side.querySelector('a')?.focus();
    },

    busy(on) {
        parts.progress.hidden = !on;
        parts.main.setAttribute('aria-busy', String(on));
    },

    /** Announces a text to screen readers. */
    announce(text) { parts.live.textContent = text; },

    /**
     * Shows what happened in a corner for some seconds, also to screen readers; the same text is shown once. Gives the
     * message.
     */
    notify(text, kind = 'info', ...more) {
        for (const other of parts.notes.children) if (other.firstChild.textContent === text) other.remove();
        const note = h('div.toast', { class: kind, role: kind === 'error' ? 'alert' : null },
            h('span', {}, h('bdi', {}, text)), ...more,
            button('✕', () => note.remove(), { class: 'plain', 'aria-label': t('action.close') }));
        parts.notes.append(note);
        if (kind !== 'error') this.announce(text);
        setTimeout(() => note.remove(), kind === 'error' ? 15000 : 6000);
        return note;
    },

    /** Shows something above the view until it is taken away. */
    notice(element) { parts.notices.append(element); },

    /** Shows an error: what happened, and what to do. What happened to a store's file is shown above the view. */
    fail(error) {
        if (error.name === 'AbortError' || error.store) return null;
        const text = error.hint ? `${error.message} (${error.hint})` : error.message;
        // A text that could not be translated gets a title in the language of the page.
        const title = error.lang ? errorTitle(error) : '';
        return this.notify(title ? `${title}: ${text}` : text, 'error');
    },

    focusMain() { parts.main.focus({ preventScroll: true }); },
    append: (...children) => append(parts.main, children),
};
