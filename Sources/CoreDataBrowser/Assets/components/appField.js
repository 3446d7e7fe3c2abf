/** The fields of an application's forms by kind: text, number, date, choice, colour, Boolean. */
import { h, button, stored, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { colorOf } from '../base/format.js';

/** A row of a form that is edited; its field is put into `state.fields`. `left` is called when it is left. */
export function appField(state, row, left) {
    const id = uid('field');
    const start = 'entered' in row ? row.entered : row.startsEmpty && state.told.new ? '' : row.value ?? null;
    const field = (makers[row.kind] ?? text)(row, start, id);
    state.fields.set(row.key, { ...field, restore: () => field.set(row.value ?? null) });
    field.control.addEventListener('change', left);
    return h('div.appline', {}, h('label.dim', { for: id }, stored(row.label)), h('div.control', {}, field.element ?? field.control,
        ['text', 'longText'].includes(row.kind) && button('✕', () => { field.set(''); field.control.focus(); }, { class: 'plain small', 'aria-label': `${t('picker.clear')}: ${row.label}` })));
}

function text(row, value, id) {
    const control = h(row.kind === 'longText' ? 'textarea' : 'input', { id, dir: 'auto', placeholder: row.placeholder, is: { value: value ?? '' }, inputmode: row.kind === 'number' ? 'decimal' : null });
    return { control, read: () => control.value, set: (v) => { control.value = v ?? ''; } };
}

function date(row, value, id) {
    const control = h('input', { type: 'date', id, is: { value: (value ?? '').slice(0, 10) } });
    // A day that was not changed keeps its stored moment.
    const read = () => (control.value === '' ? null : (value ?? '').startsWith(control.value) ? value : `${control.value}T00:00:00Z`);
    return { control, read, set: (v) => { control.value = (v ?? '').slice(0, 10); } };
}

function choice(row, value, id) {
    const control = h('select', { id }, ['', ...(row.choices ?? [])].map((c) => h('option', { value: c, selected: c === (value ?? '') }, c || t('app.none'))));
    return { control, read: () => control.value || null, set: (v) => { control.value = v ?? ''; } };
}

function boolean(row, value, id) {
    const control = h('select', { id }, [...(row.optional ? ['', 'true', 'false'] : ['true', 'false'])].map((c) => h('option', { value: c, selected: c === String(value ?? '') }, c === '' ? 'nil' : t(c === 'true' ? 'value.yes' : 'value.no'))));
    return { control, read: () => (control.value === '' ? null : control.value === 'true'), set: (v) => { control.value = String(v ?? ''); } };
}

function color(row, value, id) {
    const numbers = Array.isArray(value) ? [...value] : [...(row.color ?? [1, 1, 1, 1])];
    let isTouched = Array.isArray(value) || row.value !== null;
    const swatch = h('i.swatch.wideswatch', { 'aria-hidden': 'true' });
    const show = () => swatch.style.setProperty('--swatch', colorOf(numbers) ?? '#fff');
    const sliders = ['red', 'green', 'blue', 'alpha'].map((name, i) => h('input', { type: 'range', min: 0, max: 1, step: 0.01, id: i === 0 ? id : null, 'aria-label': `${row.label}: ${t(`app.${name}`)}`, is: { value: String(numbers[i]) },
        on: { input: (e) => { numbers[i] = Number(e.target.value); isTouched = true; show(); } } }));
    show();
    const element = h('div.sliders', { role: 'group', 'aria-label': row.label }, swatch, sliders.map((slider, i) => h('label', {}, h('span', {}, t(`app.${['red', 'green', 'blue', 'alpha'][i]}`)), slider)));
    return { control: sliders[0], element, read: () => (isTouched ? numbers : null), set: (v) => { (v ?? [1, 1, 1, 1]).forEach((n, i) => { numbers[i] = n; sliders[i].value = String(n); }); show(); } };
}

const makers = { date, choice, boolean, color };
