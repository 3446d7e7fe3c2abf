/** Questions that were saved under a name; those of a console lead to its address. */
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go } from '../base/router.js';
import { act } from './editBar.js';
import { askName } from './filters.js';

/** The items of the menu of a console, `sql` or `console`; `query` is the question that is shown. */
export async function savedQueries(store, console, query) {
    const path = `/stores/${store.id}/state/queries`;
    const all = (await api.get(path).catch(() => null)) ?? {};
    const own = all[console] ?? [];
    const keep = (list) => act(() => api.put(path, { ...all, [console]: list }));
    return [
        ...own.map((q) => ({ text: q.name, do: () => go(`/stores/${store.id}/${console}?${q.query}`) })),
        { text: t('queries.save'), disabled: !query, do: async () => {
            const name = await askName(t('queries.name'));
            if (name) keep([...own.filter((q) => q.name !== name), { name, query }]);
        } },
        ...own.map((q) => ({ text: t('filters.remove', { name: q.name }), danger: true,
            do: () => keep(own.filter((o) => o !== q)) })),
    ];
}
