/** Undo and redo of what an application's list saves at once: the store's history takes back what this view saved. */
import { api } from '../base/api.js';
import { editsOf } from '../base/edits.js';
import { act } from './editBar.js';

/** @typedef {{inserted: Record<string, string>, updated: string[], deleted: string[]}} Saved */

export class SavedSteps {
    /** @param {string} store @param {() => any} changed draws the view again */
    constructor(store, changed) {
        this.store = store;
        this.changed = changed;
        /** @type {number[]} transactions that can be taken back, and those that took one back */
        this.done = [];
        this.undone = [];
        /** Steps are noted and taken back one after the other. */
        this.before = Promise.resolve();
    }

    /** Notes what was saved; a store without history has nothing to take it back from. @param {Saved} saved */
    note(saved) {
        return this.next(async () => {
            const number = await this.transaction(saved);
            if (number === null) return;
            this.done.push(number);
            this.undone = [];
        });
    }

    get canUndo() { return this.done.length > 0; }
    get canRedo() { return this.undone.length > 0; }
    undo() { return this.move('done', 'undone'); }
    redo() { return this.move('undone', 'done'); }
    /** Nothing waits to be saved. */
    save() {}

    next(work) {
        this.before = this.before.then(() => act(work));
        return this.before;
    }

    move(from, to) {
        return this.next(async () => {
            const number = this[from].pop();
            if (number === undefined) return;
            const edits = editsOf(this.store);
            await edits.revert(number);
            const { saved } = await edits.save();
            const reversal = await this.transaction(saved);
            if (reversal !== null) this[to].push(reversal);
            await this.changed();
        });
    }

    /** The newest transaction that has what was saved; others may have saved meanwhile. */
    async transaction(saved) {
        const names = [...Object.values(saved.inserted), ...saved.updated, ...saved.deleted];
        const reply = await api.get(`/stores/${this.store}/history?limit=20`).catch(() => null);
        const found = (reply?.transactions ?? []).findLast((one) => {
            const changed = (one.changes ?? []).map((change) => change.objectID ?? '');
            return names.length > 0
                && names.every((name) => changed.some((object) => object === name || object.endsWith(`/${name}`)));
        });
        return found?.id ?? null;
    }
}
