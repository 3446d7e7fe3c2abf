/** The field of a predicate: its error under the character, completion from the model, and the builder. */
import { afterPress, h, fill, button, debounce, uid, visible } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';

export function predicateField(context) {
    const { store, entity, state, change, signal } = context;
    const list = h('ul.completions', { role: 'listbox', id: uid('completions'), hidden: true,
        'aria-label': t('predicate.completions') });
    const error = h('div.predicateerror', { role: 'alert', id: uid('error') });
    const input = h('input.mono', {
        type: 'text', value: state.where, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
        role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
        'aria-controls': list.id, 'aria-describedby': error.id, 'aria-label': t('predicate.label'),
        placeholder: t('predicate.placeholder'),
    });
    // A predicate of a model is looked at where the model is.
    const addressOf = context.ask
        ?? ((where, caret) => address(['stores', store.id, 'predicate'], { entity: entity.name, where, caret }));
    const builder = h('div.builderplace', { hidden: true });
    let [reply, chosen, asking] = [null, -1, null];

    const ask = async () => {
        asking?.abort();
        asking = new AbortController();
        try {
            reply = await api.get(addressOf(input.value, input.selectionStart ?? input.value.length), asking.signal);
        } catch (failure) {
            if (failure.name !== 'AbortError') reply = null;
            return;
        }
        if (signal.aborted) return;
        drawError();
        drawList();
    };
    const later = debounce(120, ask);

    function drawError() {
        const problem = input.value && !reply.valid ? reply.error : null;
        input.setAttribute('aria-invalid', String(Boolean(problem)));
        fill(error, problem && [
            typeof problem.position === 'number' && h('pre', { 'aria-hidden': 'true' },
                `${visible(input.value).slice(0, problem.position).replace(/[^\t]/g, ' ')}▲`),
            h('span', {}, h('bdi', {}, serverText(problem.reason)), typeof problem.position === 'number'
                && [' ', h('span.dim', {}, t('predicate.at', { position: problem.position + 1 }))])],
        !problem && input.value && reply.notes?.length ? h('span.dim', {}, reply.notes.map(serverText).join(' · '))
            : null);
    }

    function drawList() {
        if (document.activeElement !== input) return;
        const options = isTyping ? reply.completions ?? [] : [];
        chosen = -1;
        list.hidden = !options.length;
        input.setAttribute('aria-expanded', String(!list.hidden));
        fill(list, options.map((option, i) => h('li', { role: 'option', id: `${list.id}-${i}`,
            on: { pointerdown: (e) => { e.preventDefault(); take(option); } } },
            h('span.kind', { data: { kind: option.kind } }, option.kind.slice(0, 1)), h('bdi', {}, option.text),
            option.detail && h('span.dim', {}, option.detail))));
    }

    function move(step) {
        const items = [...list.children];
        chosen = (chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length;
        items.forEach((item, i) => item.setAttribute('aria-selected', String(i === chosen)));
        items[chosen].scrollIntoView({ block: 'nearest' });
        input.setAttribute('aria-activedescendant', items[chosen].id);
    }

    function take(option) {
        input.setRangeText(option.text + (/\w$/.test(option.text) ? ' ' : ''), option.from, option.to, 'end');
        input.focus();
        ask();
    }

    const close = () => {
        list.hidden = true;
        input.setAttribute('aria-expanded', 'false');
        input.removeAttribute('aria-activedescendant');
    };
    const apply = () => { close(); change({ where: input.value.trim(), selected: '' }); };
    // What is complete is not covered by what could follow: the list comes while one types, or when it is asked for.
    let isTyping = false;
    input.addEventListener('input', () => { isTyping = true; later(); });
    input.addEventListener('focus', () => { isTyping = false; later(); });
    input.addEventListener('blur', () => afterPress(() => document.activeElement !== input && close()));
    input.addEventListener('keydown', (e) => {
        if (!list.hidden && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) move(e.key === 'ArrowDown' ? 1 : -1);
        else if (e.key === 'ArrowDown' || (e.key === ' ' && e.ctrlKey)) { isTyping = true; ask(); }
        else if (!list.hidden && chosen >= 0 && (e.key === 'Enter' || e.key === 'Tab')) take(reply.completions[chosen]);
        else if (e.key === 'Enter') apply();
        else if (e.key === 'Escape' && !list.hidden) close();
        else return;
        e.preventDefault();
    });
    const buildToggle = button(t('builder.title'), async () => {
        builder.hidden = !builder.hidden;
        buildToggle.setAttribute('aria-expanded', String(!builder.hidden));
        if (builder.hidden) return;
        await ask();
        const { showBuilder } = await import('./builder.js');
        showBuilder(builder, context, input.value.trim() ? reply?.tree : { kind: 'and', parts: [] },
            (text) => { input.value = text; ask(); });
    }, { 'aria-expanded': 'false' });
    const element = h('div.predicate', {},
        h('div.line', {}, h('div.combo', {}, input, list, error),
            button(t('predicate.apply'), apply, { class: 'primary' }),
            button(t('predicate.clear'), () => { input.value = ''; fill(error); apply(); }), buildToggle), builder);
    return { element, focus: () => input.focus(),
        follow: () => { if (input.value.trim() !== state.where) input.value = state.where; if (state.where) ask(); } };
}
