/** Editors of attributes by type, with nil apart from empty, and the model's rules checked while one types. */
import { h, button, debounce, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { dateText, isNumeric } from '../base/format.js';
import { settings } from '../base/settings.js';
import { dayISO, needLocalDates, zonedISO } from '../base/zones.js';
import { localNumber, plainNumber } from '../base/localNumbers.js';
import { inexactNumber, typedNumber } from '../base/numbers.js';
import { act } from './editBar.js';

/**
 * A field of an attribute; what is entered is staged when the field is left.
 * What is refused stays with its reason in `refused`, by the attribute's name, for the next time the field is made.
 * @param {{store: any, edits: any, id: string, refused?: Map<string, {text: string, value: string}>,
 *     again?: () => any}} context
 * @param {import('../base/store.js').Attribute} model
 */
export function fieldEditor(context, model, value, labelledBy) {
    const problem = h('span.fieldproblem', { role: 'alert', id: uid('problem') });
    const stage = (next) => {
        if (JSON.stringify(next) === JSON.stringify(value ?? null)) return null;
        const staged = () => context.edits.stage(t('edits.setName', { name: model.name }),
            [{ do: 'set', object: context.id, key: model.name, value: next }]);
        return act(() => staged().catch((error) => {
            if (error.status !== 422) throw error;
            refuse(error.message);
        }));
    };
    let asking = null;
    const check = debounce(250, async (next) => {
        asking?.abort();
        asking = new AbortController();
        try {
            const reply = await context.edits.check(context.id, model.name, next, asking.signal);
            showProblem(reply.problems?.map((p) => p.text).join(' '));
        } catch (error) {
            if (error.status === 422) showProblem(error.message);
        }
    });
    const showProblem = (text) => {
        problem.textContent = text ?? '';
        control.setAttribute('aria-invalid', String(Boolean(text)));
        // What the rules have against the staged value is not said a second time beside it.
        for (const other of control.closest('dd')?.querySelectorAll(':scope > .fieldproblem') ?? []) {
            /** @type {HTMLElement} */ (other).hidden = Boolean(text);
        }
    };
    /** An answer about what was typed before must not take the word away. */
    const refuse = (text) => {
        check.cancel();
        asking?.abort();
        showProblem(text);
        context.refused?.set(model.name, { text, value: control.value });
        // The pane was drawn again while the server looked at the value.
        if (!control.isConnected) context.again?.();
    };
    const { control, read } = editorOf(model, value);
    control.setAttribute('aria-describedby', problem.id);
    control.dataset.field = model.name;
    if (labelledBy) control.setAttribute('aria-labelledby', labelledBy);
    else control.setAttribute('aria-label', model.name);
    const entered = () => {
        try {
            return { value: read() };
        } catch (error) {
            refuse(error.message);
            return null;
        }
    };
    control.addEventListener('input', () => {
        control.dataset.typed = 'yes';
        context.refused?.delete(model.name);
        const next = entered();
        if (next) { showProblem(''); check(next.value); }
    });
    const commit = () => {
        control.dataset.typed = 'no';
        context.refused?.delete(model.name);
        const next = entered();
        if (next) stage(next.value);
    };
    control.addEventListener('change', commit);
    control.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
        if (e.key === 'Enter' && (control.tagName !== 'TEXTAREA' || e.ctrlKey)) control.blur();
    });
    const kept = context.refused?.get(model.name);
    if (kept) {
        control.value = kept.value;
        showProblem(kept.text);
    }
    const isNil = value === null || value === undefined;
    const nil = model.optional && model.type !== 'boolean' && (isNil ? h('span.tag', {}, 'nil')
        : button('nil', () => stage(null), { class: 'small', title: t('value.setNil', { name: model.name }),
            'aria-label': t('value.setNil', { name: model.name }) }));
    const makeEmpty = isNil && model.type === 'string' && button(t('value.makeEmpty'), () => stage(''),
        { class: 'small', 'aria-label': `${t('value.makeEmpty')}: ${model.name}` });
    const parts = model.type === 'composite' && elementFields(model, value, stage, showProblem);
    const zone = model.type === 'date' && !hasDays(model)
        && h('span.dim', {}, settings.zone === 'local' ? t('settings.zoneLocal') : settings.zone);
    return h('div', {}, parts, h('div.control', {}, control, nil, makeEmpty, zone), problem);
}

const withoutField = ['binary', 'transformable', 'objectID', 'undefined'];

/** Fields of a composite's elements, beside its JSON; leaving one stages the composite with that element changed. */
function elementFields(model, value, stage, showProblem) {
    const whole = typeof value === 'object' && value !== null ? value : {};
    const stageElement = (name, next) => {
        const changed = { ...whole, [name]: next };
        if (next === null) delete changed[name];
        stage(Object.keys(changed).length === 0 && model.optional ? null : changed);
    };
    return h('div.elements', { role: 'group', 'aria-label': model.name },
        (model.elements ?? []).filter((e) => !withoutField.includes(e.type)).map((element) => {
            const [name, path] = [element.name, `${model.name}.${element.name}`];
            if (element.type === 'composite') {
                return h('div', {}, h('span.dim', {}, name),
                    elementFields({ ...element, name: path }, whole[name], (next) => stageElement(name, next),
                        showProblem));
            }
            const { control, read } = editorOf(element, whole[name] ?? null);
            control.dataset.field = path;
            control.setAttribute('aria-label', path);
            control.addEventListener('change', () => {
                try {
                    stageElement(name, read());
                } catch (error) {
                    showProblem(error.message);
                }
            });
            // An empty text is a value; what else is left empty is nil.
            const nil = element.type === 'string' && element.optional && typeof whole[name] === 'string'
                && button('nil', () => stageElement(name, null), { class: 'small',
                    title: t('value.setNil', { name: path }), 'aria-label': t('value.setNil', { name: path }) });
            return h('div.control', {}, h('span.dim', {}, name), control, nil);
        }));
}

/** The control of a type, and what reads its value. @returns {{control: HTMLElement, read: () => any}} */
export function editorOf(model, value) {
    const text = value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value)
        : String(value);
    const wasNil = value === null || value === undefined;
    if (model.type === 'boolean') return choice(model, value);
    if (isNumeric(model.type)) return numberField(model, text);
    if (model.type === 'date') return dateField(model, value);
    if (['transformable', 'composite'].includes(model.type)) return json(text, typeof value === 'string');
    const isLong = model.type === 'string' && (text.length > 60 || text.includes('\n'));
    const control = h(isLong ? 'textarea' : 'input', {
        dir: 'auto', spellcheck: 'false', class: model.type === 'uuid' || model.type === 'uri' ? 'mono' : '',
        placeholder: wasNil ? 'nil' : model.type === 'string' ? t('value.empty') : '',
        ...(isLong ? { rows: 4 } : { type: 'text' }), is: { value: text },
    });
    return { control, read: () => (control.value === '' && (wasNil || model.type !== 'string') ? null
        : model.type === 'uuid' ? control.value.trim() : control.value) };
}

/** Whether the values of an attribute are days without a time, in every zone the same. */
export const hasDays = (model) => /^day(-|$)/.test(model.style ?? '');

function choice(model, value) {
    const options = [...(model.optional || value === null ? [['', 'nil']] : []), ['true', t('value.yes')],
        ['false', t('value.no')]];
    const control = h('select', { class: 'narrow' },
        options.map(([v, text]) => h('option', { value: v, selected: String(value ?? '') === v }, text)));
    return { control, read: () => (control.value === '' ? null : control.value === 'true') };
}

/** Decimals and 64-bit integers stay texts, since a JavaScript number cannot hold them. */
function numberField(model, text) {
    const shown = localNumber(text);
    const control = h('input', { class: model.type === 'decimal' ? '' : 'narrow', type: 'text',
        inputmode: model.type.startsWith('integer') ? 'numeric' : 'decimal', dir: 'ltr', autocomplete: 'off',
        placeholder: 'nil', is: { value: shown } });
    // As wide as its digits.
    const widen = () => control.style.setProperty('--digits', String(control.value.length));
    control.addEventListener('input', widen);
    widen();
    const read = () => {
        const entered = plainNumber(control.value, shown, undefined, text);
        return entered === '' ? null : typedNumber(model.type, entered);
    };
    return { control, read };
}

function dateField(model, value) {
    needLocalDates();
    const isDay = hasDays(model);
    const shown = !value ? '' : isDay ? dateText(value, 'UTC').slice(0, 10) : dateText(value);
    const control = h('input', { type: 'text', class: 'mono', dir: 'ltr', autocomplete: 'off', is: { value: shown },
        placeholder: isDay ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:MM:SS' });
    // A day that was not changed keeps its stored moment.
    const read = () => (control.value.trim() === '' ? null : isDay && control.value === shown ? value
        : isDay ? dayISO(control.value) : zonedISO(control.value, settings.zone));
    return { control, read };
}

function json(text, isText) {
    const control = h('textarea.mono', { rows: 3, dir: 'ltr', spellcheck: 'false', placeholder: 'nil',
        is: { value: text } });
    const read = () => {
        if (control.value.trim() === '') return null;
        if (isText) return control.value;
        let value;
        try {
            value = JSON.parse(control.value);
        } catch {
            throw new Error(t('value.notJSON'));
        }
        const inexact = inexactNumber(control.value);
        if (inexact) throw new Error(t('value.inexactJSON', { number: inexact }));
        return value;
    };
    return { control, read };
}
