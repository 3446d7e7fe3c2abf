/** Chooses, orders, sizes and pins the columns of a list, by keyboard alone where one likes. */
import { h, fill, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { openDialog } from './dialog.js';

export async function openColumns({ entity, view }) {
    if (!view?.columns.chosen) return;
    const { columns } = view;
    const chosen = columns.chosen.map((c) => c.key);
    const known = [...entity.attributes.filter((a) => !a.transient), ...entity.relationships].map((p) => p.name);
    let order = [...chosen, ...columns.all.map((c) => c.key), ...known].filter((key, i, all) => all.indexOf(key) === i);
    const on = new Set(chosen);
    const list = h('ul.columnlist');
    const move = (key, step) => {
        const at = order.indexOf(key);
        const to = Math.max(0, Math.min(order.length - 1, at + step));
        order.splice(to, 0, order.splice(at, 1)[0]);
        draw();
        list.children[to].querySelector('input').focus();
    };
    const item = (key) => {
        const column = columns.chosen.find((c) => c.key === key);
        const box = h('input', { type: 'checkbox', is: { checked: on.has(key) },
            on: { change: () => (box.checked ? on.add(key) : on.delete(key)) } });
        return h('li', { on: { keydown: (e) => {
            if (!e.altKey || (e.key !== 'ArrowUp' && e.key !== 'ArrowDown')) return;
            e.preventDefault();
            move(key, e.key === 'ArrowUp' ? -1 : 1);
        } } }, h('label', {}, box, stored(key)),
        button('↑', () => move(key, -1), { class: 'plain small', 'aria-label': t('edits.up', { name: key }) }),
        button('↓', () => move(key, 1), { class: 'plain small', 'aria-label': t('edits.down', { name: key }) }),
        column && h('input', { type: 'number', min: 40, max: 900, value: Math.round(column.width),
            'aria-label': t('columns.width', { name: key }), class: 'narrow', on: { change: (e) => {
                column.width = Math.max(40, Math.min(900, Number(e.target.value) || 160));
                columns.keep();
            } } }),
        column && button(t('columns.pinShort'), (e) => {
            columns.pin(key, !column.pinned);
            e.currentTarget.setAttribute('aria-pressed', String(column.pinned));
        }, { class: 'small', 'aria-label': t('columns.pin', { name: key }), 'aria-pressed': String(column.pinned) }));
    };
    const draw = () => fill(list, order.map(item));
    draw();
    const path = h('input', { type: 'text', class: 'mono', 'aria-label': t('columns.path'), placeholder: 'hero.name',
        spellcheck: 'false' });
    const add = () => {
        const key = path.value.trim();
        if (!key) return;
        order = [key, ...order.filter((k) => k !== key)];
        on.add(key);
        path.value = '';
        draw();
    };
    const done = await openDialog({
        title: t('columns.title'), body: h('div', {}, h('p.dim', {}, t('columns.hint')), list,
            h('div.line', {}, path, button(t('columns.path'), add))),
        actions: [{ text: t('columns.reset'), do: (close) => close('reset') },
            { text: t('action.done'), class: 'primary', do: (close) => close('done') }],
    });
    if (done === 'reset') columns.choose(columns.all.map((c) => c.key));
    else if (done === 'done') columns.choose(order.filter((key) => on.has(key)));
}
