/** An editor of a value by its kind: the text that people write, which the server turns into the stored value. */
import { h, button, uid } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { colorOf } from '../../base/format.js';
import { act } from '../editBar.js';
import { valueOf } from './kinds.js';

/** Kinds whose stored values are not what people write. */
export const enteredKinds = ['color', 'duration', 'percentage'];

/** Whether values of a kind are entered here instead of in the field of their type. */
export const isEntered = (use, model) => enteredKinds.includes(use.kind) && model.type !== 'binary'
    && model.type !== 'transformable' && !use.reading?.problem;

/**
 * @param {any} context of the pane
 * @param {import('./kindNode.js').KindUse} use
 * @param {import('../../base/store.js').Attribute} model
 */
export function kindEditor(context, use, model, labelledBy) {
    const problem = h('span.fieldproblem', { role: 'alert', id: uid('problem') });
    const shown = use.reading?.entry ?? use.reading?.text ?? '';
    const stage = (value) => context.edits.stage(t('edits.setName', { name: model.name }),
        [{ do: 'set', object: context.id, key: model.name, value }]);
    const control = h('input', { type: 'text', dir: 'ltr', autocomplete: 'off', spellcheck: 'false',
        placeholder: 'nil', 'aria-labelledby': labelledBy, 'aria-describedby': problem.id, data: { field: model.name },
        is: { value: context.refused?.get(model.name)?.value ?? shown } });
    problem.textContent = context.refused?.get(model.name)?.text ?? '';
    control.addEventListener('input', () => { control.dataset.typed = 'yes'; });
    control.addEventListener('change', () => act(async () => {
        control.dataset.typed = 'no';
        context.refused?.delete(model.name);
        problem.textContent = '';
        if (control.value === shown) return;
        try {
            const isNil = control.value.trim() === '' && model.optional;
            await stage(isNil ? null : await valueOf(context.store.id, context.entity.name, use.key, control.value));
        } catch (error) {
            if (error.status !== 422) throw error;
            problem.textContent = error.message;
            context.refused?.set(model.name, { text: error.message, value: control.value });
        }
    }));
    control.addEventListener('keydown', (e) => { if (e.key === 'Enter') control.blur(); });
    const nil = model.optional && use.reading && button('nil', () => act(() => stage(null)),
        { class: 'small', title: t('value.setNil', { name: model.name }),
            'aria-label': t('value.setNil', { name: model.name }) });
    return h('div', {}, h('div.control', {}, use.kind === 'color' && colorPicker(control, use), control, nil), problem);
}

/** The system's own picker, which has no opacity: that of the text stays. */
function colorPicker(control, use) {
    const hex = /^#[0-9a-f]{6}/i.exec(control.value)?.[0] ?? '#ffffff';
    const picker = h('input.narrow', { type: 'color', 'aria-label': t('kinds.name.color'), is: { value: hex },
        vars: { '--swatch': colorOf(use.reading?.color) ?? '#fff' } });
    picker.addEventListener('change', () => {
        control.value = picker.value + (/^#[0-9a-f]{6}([0-9a-f]{2})$/i.exec(control.value)?.[1] ?? '');
        control.dispatchEvent(new Event('change'));
    });
    return picker;
}
