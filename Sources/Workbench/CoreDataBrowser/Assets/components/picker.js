/** Chooses an object of an entity by search, or creates one to be linked. */
import { h, fill, debounce, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { openDialog } from './dialog.js';

/** @returns {Promise<{id: string, label: string} | {create: string, values: Record<string, any>} | null>} */
export function openPicker(store, entityName, title) {
    const list = h('ul.choices', { role: 'listbox', id: 'picked', 'aria-label': title });
    const input = h('input', { type: 'search', placeholder: t('picker.search'), 'aria-label': t('picker.search'),
        role: 'combobox', 'aria-controls': 'picked', 'aria-expanded': 'true', autofocus: true });
    return openDialog({
        title,
        body(close) {
            let [options, at, asking, shown] = [[], 0, null, null];
            const mark = () => [...list.children].forEach((item, i) => {
                item.setAttribute('aria-selected', String(i === at));
                if (i === at) {
                    input.setAttribute('aria-activedescendant', item.id);
                    item.scrollIntoView({ block: 'nearest' });
                }
            });
            const ask = async () => {
                asking?.abort();
                asking = new AbortController();
                const text = input.value.trim();
                const reply =
                    await api.get(address(['stores', store.id, 'entities', entityName], { search: text, limit: 50 }),
                        asking.signal).catch((error) => ({ error }));
                if (reply.error?.name === 'AbortError') return;
                options = (reply.rows ?? []).map(({ id, label }) => ({ pick: { id, label }, label, detail: id }));
                for (const name of text ? store.concrete(entityName) : []) {
                    const key = store.entities.get(name)?.labelKey;
                    options.push({ pick: { create: name, values: key ? { [key]: text } : {} },
                        label: t('picker.create', { name: text, entity: name }), detail: '+' });
                }
                [at, shown] = [0, text];
                fill(list, options.map((o, i) =>
                    h('li', { role: 'option', id: `picked-${i}`, on: { click: () => close(o.pick) } }, stored(o.label),
                        h('span.dim', {}, o.detail))),
                    !options.length && h('li.dim', {}, reply.error?.message ?? t('picker.none')));
                mark();
            };
            input.addEventListener('input', debounce(180, ask));
            // Enter is of what is typed, also before its matches are there.
            const choose = async () => {
                if (shown !== input.value.trim()) await ask();
                if (shown === input.value.trim() && options[at]) close(options[at].pick);
            };
            input.addEventListener('keydown', (e) => {
                if (e.key === 'ArrowDown' || e.key === 'ArrowUp') at =
                    (at + (e.key === 'ArrowDown' ? 1 : -1) + options.length) % Math.max(1, options.length);
                else if (e.key !== 'Enter') return;
                e.preventDefault();
                if (e.key === 'Enter') choose();
                else mark();
            });
            ask();
            input.className = 'grow';
            return h('div', {}, h('div.line', {}, input), list);
        },
        actions: [{ text: t('action.cancel'), do: (close) => close() }],
    });
}
