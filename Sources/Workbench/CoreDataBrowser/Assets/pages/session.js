/** What is shown to who has no session: how to get one. */
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { redeem } from '../base/session.js';

export function render() {
    const field = h('input', { type: 'text', name: 'code', autocomplete: 'off', spellcheck: 'false', required: true,
        id: 'code' });
    const problem = h('p.problem', { role: 'alert', hidden: true });
    const send = async (event) => {
        event.preventDefault();
        const code = /code=([^&#]+)/.exec(field.value)?.[1] ?? field.value.trim();
        try {
            await redeem(code);
            location.reload();
        } catch (error) {
            problem.textContent = error.status === 0 ? error.message : t('session.refused');
            problem.hidden = false;
            field.focus();
        }
    };
    return h('div.page.narrow', {}, h('h1', {}, t('session.title')), h('p', {}, t('session.text')),
        h('p', {}, t('session.how')),
        h('form.line', { on: { submit: send } }, h('label', { for: 'code' }, t('session.code')), field,
            h('button.primary', { type: 'submit' }, t('session.go'))), problem);
}
