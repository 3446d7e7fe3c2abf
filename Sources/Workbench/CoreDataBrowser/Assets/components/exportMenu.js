/** Saves objects as files that an import takes. */
import { address } from '../base/api.js';
import { download } from '../base/download.js';
import { t } from '../base/i18n.js';
import { act } from './editBar.js';

/** The entries of a menu, one for each of some forms: `csv`, `json`, `jsonl`. */
export function exportMenu(store, query, forms) {
    const name = query.entities ?? store.summary.name.replace(/\.[^.]*$/, '');
    return forms.map((to) => ({
        text: t(`export.${to}`),
        do: () => act(() => download(address(['stores', store.id, 'export'], { ...query, to }), `${name}.${to}`)),
    }));
}
