/** What is known of a store while its views are shown, asked once. */
import { api } from './api.js';

/**
 * @typedef {{name: string, type: string, optional: boolean, readOnly?: boolean, elements?: Attribute[], [key: string]:
 *     any}} Attribute
 */
/**
 * @typedef {{name: string, destination: string, toMany: boolean, ordered: boolean, optional: boolean, [key: string]:
 *     any}} Relationship
 */
/**
 * @typedef {{name: string, superentity: ?string, abstract: boolean, labelKey: ?string, attributes: Attribute[],
 *     relationships: Relationship[], fetched: any[], coordinates?: any[]}} Entity
 */

/** @type {Map<string, Promise<StoreInfo>>} */
const known = new Map();

export class StoreInfo extends EventTarget {
    /** @param {string} id @param {any} reply @param {any} model */
    constructor(id, reply, model) {
        super();
        this.id = id;
        this.summary = reply.store;
        this.jobs = reply.jobs;
        /**
         * What the store's state was when it was asked, so that what is saved until its stream is read is not missed.
         */
        this.state = reply.state ?? '';
        this.templates = model.templates ?? [];
        /** @type {Map<string, Entity>} */
        this.entities = new Map((model.entities ?? []).map((e) => [e.name, e]));
        for (const e of reply.entities ?? []) {
            if (!this.entities.has(e.name)) {
                this.entities.set(e.name, { attributes: [], relationships: [], fetched: [], ...e });
        }
            }
        this.counts = null;
    }

    get writing() { return Boolean(this.summary.writing); }
    set writing(on) {
        this.summary.writing = on;
        this.dispatchEvent(new Event('writing'));
    }

    /** An attribute or a relationship of an entity; follows a path of keys. */
    property(entity, path) {
        let at = this.entities.get(entity);
        const steps = path.split('.');
        for (const [i, step] of steps.entries()) {
            const attribute = at?.attributes.find((a) => a.name === step);
            if (attribute) {
                return i === steps.length - 1 ? { kind: 'attribute', ...attribute }
                    : this.element(attribute, steps.slice(i + 1));
            }
            const relationship = at?.relationships.find((r) => r.name === step);
            if (!relationship) return null;
            if (i === steps.length - 1) return { kind: 'relationship', ...relationship };
            at = this.entities.get(relationship.destination);
        }
        return null;
    }

    element(attribute, steps) {
        let at = attribute;
        for (const step of steps) at = at?.elements?.find((e) => e.name === step);
        return at ? { kind: 'attribute', ...at } : null;
    }

    /** Entities that have no superentity, sorted; and those below one. */
    below(name = null) {
        return [...this.entities.values()].filter((e) => (e.superentity ?? null) === name)
            .sort((a, b) => a.name.localeCompare(b.name));
    }

    /** The concrete entities of an entity's family. */
    concrete(name) {
        const entity = this.entities.get(name);
        if (!entity) return [];
        return [...(entity.abstract ? [] : [name]), ...this.below(name).flatMap((e) => this.concrete(e.name))];
    }

    /** Asks for the counts again. */
    async count() {
        const reply = await api.get(`/stores/${this.id}/counts`);
        this.counts = reply.counts;
        this.dispatchEvent(new Event('counts'));
    }
}

/** The information of a store; asked for again where `fresh`. @returns {Promise<StoreInfo>} */
export function storeInfo(id, fresh = false) {
    if (!known.has(id) || fresh) {
        const asked = Promise.all([api.get(`/stores/${id}`), api.get(`/stores/${id}/model`)])
            .then(([reply, model]) => new StoreInfo(id, reply, model));
        asked.catch(() => known.delete(id));
        known.set(id, asked);
    }
    return known.get(id);
}

/** Turns writing of a store on or off. */
export async function switchWriting(store, on) {
    const reply = await api.post(`/stores/${store.id}/writing`, { on });
    store.writing = reply.writing;
}
