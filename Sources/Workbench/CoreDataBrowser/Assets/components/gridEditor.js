/** Edits cells in place, and pastes blocks of cells; both stage, neither saves. */
import { h, fill } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { dayISO, needLocalDates, zonedISO } from '../base/zones.js';
import { plainNumber } from '../base/localNumbers.js';
import { typedNumber } from '../base/numbers.js';
import { settings } from '../base/settings.js';
import { isNumeric } from '../base/format.js';
import { editorOf, hasDays } from './fieldEditor.js';
import { act } from './editBar.js';
import { shell } from './shell.js';

/** The attribute of a column, where it can be edited in a cell. */
function attributeOf(view, column) {
    const model = column && view.store.property(view.context.entity.name, column.key);
    const isPlain = model?.kind === 'attribute' && !column.key.includes('.') && !model.readOnly && !model.derived;
    return isPlain && !['binary', 'transformable', 'composite', 'objectID', 'undefined'].includes(model.type) ? model
        : null;
}

export const isEditable = (view, column) => attributeOf(view, column) !== null;

/** Edits the active cell. Enter stages and goes down, Tab to the next cell that can be edited, Escape gives up. */
export function editCell(view, row) {
    const { grid, edits } = view;
    const { cell, column } = grid;
    const model = attributeOf(view, column);
    if (!cell || !model || edits.kind(row.id) === 'deleted' || cell.classList.contains('editing')) return;
    if (row.cut?.includes(column.key)) return void shell.notify(t('value.cut'));
    if (row.unreadable?.[column.key]) return void shell.notify(t('value.unreadable'), 'error');
    const staged = edits.staged(row.id, column.key);
    const old = staged ? staged.value : row.values?.[column.key] ?? null;
    const { control, read } = editorOf(model, old);
    const tip = h('div.celltip', { role: 'alert', hidden: true });
    const before = [...cell.childNodes];
    let isOver = false;
    control.setAttribute('aria-label', column.key);
    fill(cell, control, tip);
    cell.classList.add('editing');
    control.focus();
    if ('select' in control) control.select();
    const close = () => {
        isOver = true;
        cell.classList.remove('editing');
        fill(cell, before);
        grid.element.focus({ preventScroll: true });
    };
    const commit = () => {
        let value;
        try {
            value = read();
        } catch (error) {
            tip.textContent = error.message;
            tip.hidden = false;
            return false;
        }
        close();
        if (JSON.stringify(value) !== JSON.stringify(old)) {
            act(() => edits.stage(t('edits.setName', { name: column.key }),
                [{ do: 'set', object: row.id, key: column.key, value }]))
                .then(() => edits.problems(row.id, column.key).forEach((p) => shell.notify(p.text, 'error')));
        }
        return true;
    };
    control.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
        const isSave = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 's';
        // Once the cell is staged, a save goes on to the keys of the page.
        if (isSave && commit()) return;
        e.stopPropagation();
        if (isSave) return void e.preventDefault();
        if (e.key === 'Escape') close();
        else if (e.key === 'Enter' && !e.isComposing) { if (commit()) grid.move(grid.active.row + 1); }
        else if (e.key === 'Tab') { if (commit()) next(view, e.shiftKey ? -1 : 1); }
        else return;
        e.preventDefault();
    });
    control.addEventListener('blur', () => !isOver && control.isConnected && !commit() && close());
}

/** Goes on with the next cell that can be edited, in this row or the next. */
function next(view, step) {
    const { grid } = view;
    let [row, column] = [grid.active.row, grid.active.column];
    for (let tries = 0; tries < grid.columns.length * 2; tries++) {
        column += step;
        if (column < 0 || column >= grid.columns.length) {
            row += step;
            column = step > 0 ? 0 : grid.columns.length - 1;
        }
        if (row < 0 || row >= view.grid.host.count()) return;
        if (!isEditable(view, grid.columns[column])) continue;
        grid.move(row, column);
        const line = view.line(row);
        if (line?.row) editCell(view, line.row);
        return;
    }
}

/** Stages a block of tab-separated cells from the active cell on, as one step. */
export async function pasteBlock(view, text) {
    const { grid } = view;
    const block = text.replace(/\r?\n$/, '').split(/\r?\n/).map((line) => line.split('\t'));
    const steps = [];
    await needLocalDates();
    try {
        block.forEach((cells, r) => {
            const row = view.line(grid.active.row + r)?.row;
            if (row) cells.forEach((entered, c) => {
                const column = grid.columns[grid.active.column + c];
                const model = column && attributeOf(view, column);
                if (model) steps.push({ do: 'set', object: row.id, key: column.key, value: parsed(model, entered) });
            });
        });
    } catch (error) {
        return shell.fail(error);
    }
    if (steps.length) await act(() => view.edits.stage(t('edits.pasteName'), steps));
    return undefined;
}

/** A pasted text as a value of an attribute's type. */
function parsed(model, text) {
    if (model.type === 'string') return text;
    const trimmed = text.trim();
    if (trimmed === '') return null;
    if (model.type === 'boolean') {
        if (/^(true|yes|1|ja|oui|نعم)$/i.test(trimmed)) return true;
        if (/^(false|no|0|nein|non|لا)$/i.test(trimmed)) return false;
    }
    if (model.type === 'date') return hasDays(model) ? dayISO(trimmed) : zonedISO(trimmed, settings.zone);
    if (isNumeric(model.type)) {
        try {
            return typedNumber(model.type, plainNumber(trimmed));
        } catch (error) {
            throw new Error(`${model.name}: ${error.message}`);
        }
    }
    return trimmed;
}
