/** The steps of one form while it is edited: what a person changed can be undone and redone until the form is left. */

/** @typedef {{undo: () => void, redo: () => void}} Step */

export class FormHistory {
    /** @param {() => void} changed is called after each step */
    constructor(changed) {
        this.changed = changed;
        this.clear();
    }

    clear() {
        /** @type {Step[]} */
        this.done = [];
        /** @type {Step[]} */
        this.undone = [];
    }

    get canUndo() { return this.done.length > 0; }
    get canRedo() { return this.undone.length > 0; }

    /** Notes a step that was made; what had been undone before is gone. */
    note(step) {
        this.done.push(step);
        this.undone = [];
        this.changed();
    }

    undo() { this.move(this.done, this.undone, (step) => step.undo()); }
    redo() { this.move(this.undone, this.done, (step) => step.redo()); }

    move(from, to, work) {
        const step = from.pop();
        if (!step) return;
        to.push(step);
        work(step);
        this.changed();
    }
}
