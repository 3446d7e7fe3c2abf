/** The palette of commands: views, entities, and what can be done here. */
import { h, fill, findAll, visible } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go } from '../base/router.js';
import { storeInfo } from '../base/store.js';
import { choose } from '../base/settings.js';
import { openDialog } from './dialog.js';
import { places } from './side.js';

export async function openPalette() {
    if (document.querySelector('dialog[open]')) return;
    const all = await commands();
    const input = h('input', { type: 'search', placeholder: t('palette.search'), 'aria-label': t('palette.search'),
        role: 'combobox', 'aria-controls': 'commands', 'aria-expanded': 'true', class: 'grow' });
    const list = h('ul.choices', { role: 'listbox', id: 'commands', 'aria-label': t('palette.title') });
    const run = await openDialog({
        title: t('palette.title'),
        body(close) {
            let [shown, at] = [[], 0];
            const mark = () => [...list.children].forEach((item, i) => {
                item.setAttribute('aria-selected', String(i === at));
                if (i === at) {
                    item.scrollIntoView({ block: 'nearest' });
                    input.setAttribute('aria-activedescendant', item.id);
                }
            });
            const draw = () => {
                const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
                shown = all.filter((c) => words.every((w) => c.text.toLowerCase().includes(w))).slice(0, 60);
                at = 0;
                fill(list, shown.map((c, i) =>
                    h('li', { role: 'option', id: `command-${i}`, on: { click: () => close(c.do) } },
                        h('bdi', {}, c.text), c.detail && h('span.dim', {}, c.detail))),
                    !shown.length && h('li.dim', {}, t('palette.none')));
                mark();
            };
            input.addEventListener('input', draw);
            input.addEventListener('keydown', (e) => {
                if (e.key === 'ArrowDown' || e.key === 'ArrowUp') at =
                    (at + (e.key === 'ArrowDown' ? 1 : -1) + shown.length) % Math.max(1, shown.length);
                else if (e.key === 'Enter' && shown[at]) return close(shown[at].do);
                else return undefined;
                e.preventDefault();
                return mark();
            });
            draw();
            return h('div', {}, h('div.line', {}, input), list);
        },
    });
    run?.();
}

async function commands() {
    const here = findAll(document, 'main .toolbar button, main [role="toolbar"] button, .editbar button')
        .filter((b) => !b.disabled && b.offsetParent)
        .map((b) => ({ text: b.getAttribute('aria-label') ?? b.textContent, do: () => b.click() }));
    const id = /\/stores\/([^/]+)/.exec(location.pathname)?.[1];
    const store = id ? await storeInfo(id).catch(() => null) : null;
    const { stores = [], apps = [] } = await api.get('/').catch(() => ({}));
    return [...here,
        ...(store ? [...store.entities.keys()].map((name) => ({ text: visible(name), detail: t('entity.name'),
            do: () => go(`/stores/${id}/entities/${encodeURIComponent(name)}`) })) : []),
        ...(store ? places(store).map(([text, path]) => ({ text, do: () => go(path) })) : []),
        { text: t('stores.title'), do: () => go('/') },
        ...stores.map((s) => ({ text: visible(s.name), detail: t('stores.title'), do: () => go(`/stores/${s.id}`) })),
        ...apps.map((a) => ({ text: visible(a.title ?? a.name), detail: t('stores.app'),
            do: () => go(`/apps/${a.id}`) })),
        ...['auto', 'light', 'dark'].map((theme) =>
            ({ text: `${t('settings.theme')}: ${t(`settings.theme${theme[0].toUpperCase()}${theme.slice(1)}`)}`,
                do: () => choose('theme', theme) })),
        { text: t('settings.title'), do: () => import('./preferences.js').then((m) => m.openPreferences()) },
        { text: t('help.title'), detail: '?', do: () => import('./help.js').then((m) => m.openHelp()) }];
}
