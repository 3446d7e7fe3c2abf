/** The selected rows of a list, and their copies as text. */
import { t } from '../base/i18n.js';
import { valueText } from '../base/format.js';
import { shell } from './shell.js';

export class Selection {
    constructor(view) {
        this.view = view;
        /** @type {Map<string, any>} rows by object */
        this.rows = new Map();
    }

    get ids() { return [...this.rows.keys()]; }
    has(id) { return this.rows.has(id); }

    /** Follows the active row: alone, or all from the anchor to it. */
    moved(extend) {
        const { grid } = this.view;
        const [from, to] = [grid.anchor, grid.active.row].sort((a, b) => a - b);
        this.rows.clear();
        for (let line = extend ? from : grid.active.row; line <= (extend ? to : grid.active.row); line++) {
            this.add(line);
        }
        this.reply();
    }

    add(line) {
        const row = this.view.line(line)?.row;
        if (row) this.rows.set(row.id, row);
    }

    toggle() {
        const row = this.view.line(this.view.grid.active.row)?.row;
        if (!row) return;
        if (this.view.grid.anchor !== this.view.grid.active.row || !this.rows.delete(row.id)) {
            this.rows.set(row.id, row);
        }
        this.reply();
    }

    /** Selects all rows that are here. */
    all() {
        for (const [, row] of this.view.source.loaded()) this.rows.set(row.id, row);
        this.reply();
    }

    reply() {
        this.view.grid.mark();
        this.view.showCount();
    }

    /** Copies the selected rows. @param {'tsv'|'json'|'swift'} form */
    async copy(form) {
        const columns = this.view.grid.columns.filter((c) => c.key !== '#');
        const rows = [...this.rows.values()];
        const value = (row, c) => this.view.edits.staged(row.id, c.key)?.value ?? row.values?.[c.key]
            ?? row.links?.[c.key]?.id ?? row.counts?.[c.key] ?? null;
        const text = { tsv, json, swift }[form](rows, columns, value);
        try {
            await navigator.clipboard.writeText(text);
            shell.notify(t('copy.done', { count: rows.length }));
        } catch {
            shell.notify(t('copy.refused'), 'error');
        }
    }
}

/** Texts that a spreadsheet would take for formulas get a quote before them. */
const cell = (text) => {
    const safe = /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text;
    return /[\t\n\r"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

function tsv(rows, columns, value) {
    const head = columns.map((c) => c.key).join('\t');
    return [head, ...rows.map((row) =>
        columns.map((c) => cell(valueText(value(row, c), c.type === 'date' ? '' : c.type))).join('\t'))].join('\n');
}

function json(rows, columns, value) {
    return JSON.stringify(
        rows.map((row) => ({ id: row.id, ...Object.fromEntries(columns.map((c) => [c.key, value(row, c)])) })), null,
        2);
}

function swift(rows, columns, value) {
    const pair = (row, c) => `${literal(c.key)}: ${swiftValue(value(row, c), c.type)}`;
    return `[\n${rows.map((row) => `    [${columns.map((c) => pair(row, c)).join(', ')}],`).join('\n')}\n]`;
}

const escaped = (c) => `\\u{${c.charCodeAt(0).toString(16)}}`;
const literal = (text) => `"${text.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, escaped)}"`;

function swiftValue(value, type) {
    if (value === null) return 'NSNull()';
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (type === 'date') return `ISO8601DateFormatter().date(from: ${literal(value)})!`;
    if (type === 'decimal') return `Decimal(string: ${literal(value)})!`;
    if (type === 'uuid') return `UUID(uuidString: ${literal(value)})!`;
    if (type === 'uri') return `URL(string: ${literal(value)})!`;
    return literal(typeof value === 'object' ? JSON.stringify(value) : value);
}
