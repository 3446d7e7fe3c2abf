/** The builder of a predicate that stands in a model: keys, constants and variables by choice, or free text. */
import { h } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { StoreInfo } from '../base/store.js';
import { ownerOf } from '../base/models.js';
import { openDialog } from './dialog.js';
import { predicateField } from './predicateField.js';

/** Asks for the text of a predicate; null where it was given up. */
export async function openPredicate(view, item, option) {
    const { session } = view;
    const owner = ownerOf(item.item);
    const name = item.values.entity
        ?? (session.items.get(owner)?.kind === 'entity' ? owner : session.of('entity')[0]?.name);
    const reply = await api.get(session.path('entities'));
    const store = new StoreInfo(session.id, { store: {} }, reply);
    const leaving = new AbortController();
    const state = { where: option.value ?? '' };
    /** @type {(text?: string) => void} */
    let close = () => {};
    const field = predicateField({
        store, entity: store.entities.get(name), state, signal: leaving.signal, variables: true,
        ask: (where, caret) => address(['models', session.id, 'predicate'], { version: session.version, entity: name,
            where, caret, source: item.kind === 'fetched-property' ? owner : '' }),
        change: ({ where }) => close(where),
    });
    const text = await openDialog({ title: `${t(`model.option.${option.name}`)} · ${name ?? ''}`, wide: true,
        body: (end) => { close = end; return h('div', {}, field.element); } });
    leaving.abort();
    return text;
}

