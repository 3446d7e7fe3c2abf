/**
 * The fields of an application's forms by kind: text, number, date, choice, colour, Boolean, picture, any value as
 * JSON.
 */
import { h, button, stored, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { localNumber, plainNumber } from '../base/localNumbers.js';
import { editorOf } from './fieldEditor.js';
import { choiceField } from './choiceField.js';
import { colorField } from './colorField.js';
import { pictureField } from './pictureField.js';

/**
 * A field of a row. `read` gives what is in it, `set` puts a value in, `follow` one that was saved elsewhere.
 * `problem` says why what is typed is not to be sent, where that is known.
 * @typedef {{control: HTMLElement, element: HTMLElement, read: () => any, problem?: () => ?string, set: (value: any) =>
 *     void, isTouched: () => boolean, restore: () => void, follow: (row: any) => void}} AppField
 */

/**
 * A row of a form that is edited; its field is put into `state.fields`. `left` is called when it is left.
 * An untouched field is not saved, so that a default that is hidden to begin with and a value that is not listed stay.
 */
export function appField(state, row, left) {
    const id = uid('field');
    const start = row.startsEmpty ? '' : row.value ?? null;
    const made = (makers[row.kind] ?? text)(row, start, id, state.app.store);
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    let [saved, startsEmpty, first] = [row.value ?? null, row.startsEmpty, made.read()];
    const changed = h('span.fieldnote', { role: 'status' });
    const showOther = (other) => changed.replaceChildren(t('app.changedElsewhere'), ' ', stored(other.text ?? 'nil'),
        ' ', button(t('app.takeOther'), () => { field.restore(); changed.replaceChildren(); left(); },
            { class: 'small' }));
    const field = {
        ...made,
        isTouched: () => !same(made.read(), first),
        restore: () => { made.set(startsEmpty ? '' : saved); first = made.read(); },
        follow(next) {
            const value = next.value ?? null;
            if (same(value, saved)) return;
            const wasTouched = field.isTouched();
            [saved, startsEmpty] = [value, next.startsEmpty];
            changed.replaceChildren();
            if (!wasTouched) field.restore();
            // What is typed may be what was saved.
            else if (String(value ?? '') === String(made.read() ?? '')) first = made.read();
            else showOther(next);
        },
        /** What was typed before the form was left, as a draft keeps it; null for nothing. */
        draft: () => (field.isTouched() ? { value: made.read(), base: saved } : null),
        resume(draft) {
            made.set(draft.value);
            before = made.read();
            if (!same(draft.base, saved)) showOther(row);
        },
    };
    state.fields.set(row.key, field);
    // A step of undo ends when the field is left, as its check does.
    let before = made.read();
    made.control.addEventListener('input', () => { made.control.dataset.typed = 'yes'; });
    made.control.addEventListener('change', () => {
        made.control.dataset.typed = 'no';
        const [old, now] = [before, made.read()];
        before = now;
        if (!same(old, now)) state.history.note({ undo: () => put(old), redo: () => put(now) });
        left();
    });
    const put = (v) => { made.set(v); before = v; left(); };
    const clear = () => { made.set(''); made.control.dispatchEvent(new Event('change')); made.control.focus(); };
    const element = h('div.appline', { data: { key: row.key } }, h('label.dim', { for: id }, stored(row.label)),
        h('div.control', {}, made.element ?? made.control,
            ['text', 'longText'].includes(row.kind)
                && button('✕', clear, { class: 'plain small', 'aria-label': `${t('picker.clear')}: ${row.label}` }),
            changed));
    return element;
}

function text(row, value, id) {
    const control = h(row.kind === 'longText' ? 'textarea' : 'input', { id, dir: row.kind === 'number' ? 'ltr' : 'auto',
        placeholder: row.placeholder, is: { value: row.kind === 'number' ? localNumber(value ?? '') : value ?? '' },
        inputmode: row.kind === 'number' ? 'decimal' : null });
    if (row.kind !== 'number') return { control, read: () => control.value, set: (v) => { control.value = v ?? ''; } };
    const shown = control.value;
    const set = (v) => { control.value = localNumber(v ?? ''); };
    const number = () => plainNumber(control.value, shown, undefined, String(value ?? ''));
    return { control, set, read: () => plain(number).text ?? control.value, problem: () => plain(number).problem };
}

/**
 * A number with a point before its fraction, or the reason against it; any other text is left to the server, which
 * says why.
 */
function plain(number) {
    try {
        return { text: number() };
    } catch (error) {
        return { problem: error.message };
    }
}

function date(row, value, id) {
    const control = h('input', { type: 'date', id });
    let kept = null;
    const set = (v) => { kept = v; control.value = (v ?? '').slice(0, 10); };
    set(value);
    // A day that was not changed keeps its stored moment.
    const read = () =>
        (control.value === '' ? null : (kept ?? '').startsWith(control.value) ? kept : `${control.value}T00:00:00Z`);
    return { control, read, set };
}

/** One of the listed values, or none; a stored one that is not listed is shown, and cannot be chosen again. */
function choice(row, value, id) {
    const listed = ['', ...(row.choices ?? [])];
    const control = h('select', { id }, listed.map((c) => h('option', { value: c }, c || t('app.none'))));
    const set = (v) => {
        control.querySelector('[data-unlisted]')?.remove();
        if (v && !listed.includes(v)) {
            control.append(h('option', { value: v, disabled: true, data: { unlisted: 'yes' } },
                t('app.unlisted', { value: v })));
        }
        control.value = v ?? '';
    };
    set(value);
    return { control, read: () => control.value || null, set };
}

function boolean(row, value, id) {
    const control = h('select', { id }, [...(row.optional ? ['', 'true', 'false'] : ['true', 'false'])].map((c) =>
        h('option', { value: c, selected: c === String(value ?? '') },
            c === '' ? 'nil' : t(c === 'true' ? 'value.yes' : 'value.no'))));
    return { control, read: () => (control.value === '' ? null : control.value === 'true'),
        set: (v) => { control.value = String(v ?? ''); } };
}

/**
 * Any value in the editor of its type; what cannot be read as one goes to the server as it is, which refuses it with a
 * text.
 */
function value(row, start, id) {
    const { control, read } = editorOf({ name: row.key, type: row.type, optional: row.optional }, start);
    control.id = id;
    const shown = (v) => (v === null || v === undefined ? '' : typeof v === 'object' ? JSON.stringify(v) : String(v));
    return { control, set: (v) => { control.value = shown(v); },
        read: () => { try { return read(); } catch { return control.value; } } };
}

const makers = { date, choice, boolean, value, color: colorField, image: pictureField, media: pictureField,
    recording: pictureField, relationship: choiceField };
