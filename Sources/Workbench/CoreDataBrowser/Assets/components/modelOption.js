/** The control of one option of a model's item, by the form of its values. */
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';

/** How many words a control has before it gets the focus: a page may have ten that offer a thousand entities each. */
const fewWords = 100;

/**
 * @param {any} view @param {any} item the item, or the first of several
 * @param {{name: string, form: string, words: string[], value: ?string, mixed?: boolean, summary: string}} option
 * @param {(value: ?string) => Promise<any>} change gives false where the value was refused
 * @returns {HTMLElement}
 */
export function optionControl(view, item, option, change) {
    const { session } = view;
    const shared = { 'aria-label': option.summary,
        title: option.value && option.form !== 'flag' ? `${option.summary}: ${option.value}` : option.summary,
        disabled: !session.editable };
    const send =
        async (control, value, restore) => { if (await change(value) === false && control.isConnected) restore(); };
    if (option.form === 'flag') {
        const box = h('input', { type: 'checkbox', ...shared,
            is: { checked: option.value === 'YES', indeterminate: Boolean(option.mixed) } });
        box.addEventListener('change',
            () => send(box, box.checked ? 'YES' : 'NO', () => { box.checked = !box.checked; }));
        return box;
    }
    const words = wordsFor(session, item, option);
    if (words) {
        const isOptional = !['type', 'choice'].includes(option.form) && option.name !== 'destination';
        const present = option.value ?? '';
        const all = words.includes(present) || present === '' ? words : [present, ...words];
        const offer = (word) => h('option', { value: word, selected: word === present && !option.mixed }, word);
        const isLong = all.length > fewWords;
        const select = h('select', shared, (isOptional || present === '')
            && h('option', { value: '', selected: present === '' }, option.mixed ? t('model.mixed') : t('model.none')),
            (isLong ? all.filter((word) => word === present) : all).map(offer));
        if (isLong) fillLater(select, () => all.map(offer), present);
        select.addEventListener('change', () => send(select, select.value || null, () => { select.value = present; }));
        return select;
    }
    const input = h('input', {
        type: option.form === 'count' ? 'number' : 'text', min: option.form === 'count' ? 0 : null, autocomplete: 'off',
        spellcheck: 'false',
        class: option.form === 'predicate' ? 'mono' : '', placeholder: option.mixed ? t('model.mixed') : '', ...shared,
        is: { value: option.value ?? '' },
    });
    input.addEventListener('change',
        () => send(input, input.value === '' ? null : input.value, () => { input.value = option.value ?? ''; }));
    return input;
}

/**
 * Fills a list of words when it gets the focus.
 * @param {HTMLSelectElement} select
 * @param {() => HTMLElement[]} words
 * @param {string} present
 */
export function fillLater(select, words, present = '') {
    const fillNow = () => {
        select.querySelector('option:not([value=""])')?.remove();
        select.append(...words());
        select.value = present;
        for (const event of events) select.removeEventListener(event, fillNow);
    };
    // A pointer opens the list before the focus comes.
    const events = ['pointerdown', 'focus'];
    for (const event of events) select.addEventListener(event, fillNow);
}

/** The words that a control offers; null for what is typed. */
function wordsFor(session, item, option) {
    switch (option.form) {
    case 'choice': case 'type': case 'statedFlag': return option.words;
    case 'entity': return session.of('entity').map((e) => e.name)
        .filter((name) => option.name !== 'parent' || name !== item.name);
    case 'name':
        if (option.name === 'composite') return session.of('composite').map((c) => c.name);
        if (option.name === 'inverse') {
            return session.properties(item.values.destination ?? '').filter((p) => p.kind === 'relationship')
                .map((p) => p.name);
        }
        return null;
    default: return null;
    }
}
