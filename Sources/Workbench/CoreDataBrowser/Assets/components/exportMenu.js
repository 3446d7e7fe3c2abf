/** Saves objects as files that an import takes. */
import { t } from '../base/i18n.js';
import { act } from './editBar.js';

/** The entries of a menu, one for each of some forms: `csv`, `json`, `jsonl`. */
export function exportMenu(store, query, forms) {
    return forms.map((to) => ({
        text: t(`export.${to}`),
        do: () => act(() => import('./exportFile.js').then((m) => m.save(store, { ...query, to }))),
    }));
}
