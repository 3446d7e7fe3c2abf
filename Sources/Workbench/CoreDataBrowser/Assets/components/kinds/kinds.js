/** The kinds of an entity's attributes: which there are, and what a person chooses instead of a guess. */
import { api, address } from '../../base/api.js';

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** The kinds that an entity's attributes have and may have. @param {string} store @param {string} entity */
export function kindsOf(store, entity) {
    const path = address(['stores', store, 'kinds', entity]);
    if (!asked.has(path)) {
        const answer = api.get(path);
        answer.catch(() => asked.delete(path));
        asked.set(path, answer);
    }
    return asked.get(path);
}

/**
 * Chooses the kind of an attribute, `none` for no kind, or null for what the model or a guess says.
 * @param {string} store @param {string} entity @param {string} key @param {?string} kind
 */
export async function choose(store, entity, key, kind) {
    const path = `/stores/${store}/state/kinds`;
    const state = { ...(await api.get(path) ?? {}) };
    const own = { ...state[entity], [key]: kind };
    if (kind === null) delete own[key];
    await api.put(path, { ...state, [entity]: own });
    asked.delete(address(['stores', store, 'kinds', entity]));
}

/** The value to store for a text that was entered for an attribute with a kind. */
export async function valueOf(store, entity, key, text) {
    return (await api.post(address(['stores', store, 'kinds', entity, key]), { text })).value;
}
