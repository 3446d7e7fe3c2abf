/** The columns of a list: which, in what order, how wide, which stay in view; remembered by the store. */
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { debounce } from '../base/dom.js';
import { isNumeric } from '../base/format.js';

const widths = { boolean: 80, date: 210, uuid: 300, relationship: 150 };

/** Whether a row has nothing in a column; what cannot be read is something. */
const isNothing = (row, key) => (row.values?.[key] ?? null) === null && (row.links?.[key] ?? null) === null
    && !row.counts?.[key] && !row.unreadable?.[key];

export class Columns {
    constructor(context, changed) {
        this.context = context;
        this.changed = changed;
        this.all = [];
        this.save = debounce(400, () => this.store());
    }

    /** What is remembered of this entity: `{keys: […], widths: {key: n}, pinned: […]}`. */
    get kept() { return (this.context.kept[this.context.entity.name] ??= {}); }

    /**
     * Takes the columns that the server lists, with the first rows: numbers get room for their digits, and what is nil
     * in all of these comes last.
     */
    take(reply, rows = this.rows ?? []) {
        this.rows = rows;
        const isNil = (c) => rows.length > 0 && rows.every((row) => isNothing(row, c.key));
        const { entity } = this.context;
        const label = entity.labelKey;
        const first = (a) => (a.key === label ? 0 : isNil(a) ? 2 : 1);
        const usual = [...reply].sort((a, b) => first(a) - first(b));
        const keys = this.context.state.keys ? reply.map((c) => c.key) : this.kept.keys;
        const ordered = keys?.length ? keys.map((key) => usual.find((c) => c.key === key)).filter(Boolean) : usual;
        this.all = usual;
        this.chosen = (ordered.length ? ordered : usual).map((c) => this.column(c));
    }

    column(reply) {
        const type = reply.toMany ? 'count' : reply.type;
        const model = this.context.store.property(this.context.entity.name, reply.key);
        return {
            key: reply.key, title: model?.title ?? reply.key, style: model?.style, type,
            destination: reply.destination, toMany: reply.toMany,
            width: this.kept.widths?.[reply.key] ?? (isNumeric(type) ? this.numberWidth(reply.key) : null)
                ?? widths[reply.type] ?? (type === 'count' ? 110 : 180),
            pinned: this.kept.pinned?.includes(reply.key) ?? false,
        };
    }

    /** The room for the longest number of the first rows, at least as usual. */
    numberWidth(key) {
        const longest = Math.max(0, ...this.rows.map((row) => String(row.values?.[key] ?? '').length));
        return Math.max(100, Math.min(400, Math.ceil(longest * 8.6 + 24)));
    }

    /** The columns to show, pinned ones first, the object's own number before all. */
    get shown() {
        const number = { key: '#', title: t('list.object'), type: 'objectID', width: this.kept.widths?.['#'] ?? 76,
            pinned: true };
        this.number = number;
        return [number, ...this.chosen.filter((c) => c.pinned), ...this.chosen.filter((c) => !c.pinned)];
    }

    /** Shows other keys, in their order. */
    choose(keys) {
        this.kept.keys = keys;
        const missing = keys.some((key) => !this.all.some((c) => c.key === key));
        this.store();
        if (missing || this.context.state.keys) this.context.change({ keys: keys.join(',') });
        else {
            this.take(this.all);
            this.changed();
        }
    }

    move(key, before) {
        const moved = this.chosen.find((c) => c.key === key);
        if (!moved || key === before) return;
        const rest = this.chosen.filter((c) => c !== moved);
        rest.splice(Math.max(0, rest.findIndex((c) => c.key === before)), 0, moved);
        this.chosen = rest;
        this.kept.keys = rest.map((c) => c.key);
        this.keep();
        this.changed();
    }

    pin(key, on) {
        const column = this.chosen.find((c) => c.key === key);
        if (column) column.pinned = on;
        this.keep();
        this.changed();
    }

    /** Remembers widths and pins. */
    keep() {
        this.kept.widths = { ...this.kept.widths, ...Object.fromEntries([...this.chosen, this.number].filter(Boolean)
            .map((c) => [c.key, Math.round(c.width)])) };
        this.kept.pinned = this.chosen.filter((c) => c.pinned).map((c) => c.key);
        this.save();
    }

    store() { api.put(`/stores/${this.context.store.id}/state/columns`, this.context.kept).catch(() => {}); }
}
