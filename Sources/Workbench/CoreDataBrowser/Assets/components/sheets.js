/** Small questions: which of several things, and under which name. */
import { h, button } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { openDialog } from './dialog.js';

/**
 * A sheet of choices in the order given, with Cancel at the end.
 * @template T
 * @param {string} title
 * @param {{text: string, value: T}[]} choices
 * @returns {Promise<T|null>} null for Cancel
 */
export const choose = (title, choices) => openDialog({
    title,
    body: (close) => h('div.sheet', {}, choices.map((choice) => button(choice.text, () => close(choice.value))),
        button(t('action.cancel'), () => close())),
});

/**
 * Asks for a name; `info` comes back with it, so that the caller knows for what it asked.
 * @template T @param {{title: string, label: string, action: string, info?: T}} what
 * @returns {Promise<{text: string, info: T}|null>} null for Cancel and for no name
 */
export async function askName({ title, label, action, info }) {
    const input = h('input', { type: 'text', dir: 'auto', autocomplete: 'off', class: 'grow', 'aria-label': label,
        placeholder: label });
    const found = await openDialog({
        title,
        body: (close) => h('form.line', { on: { submit: (event) => { event.preventDefault(); close(input.value); } } },
            input),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: action, class: 'primary', do: (close) => close(input.value) }],
    });
    return found ? { text: found, info } : null;
}
