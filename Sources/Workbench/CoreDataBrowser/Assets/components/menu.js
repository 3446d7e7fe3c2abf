/** A menu below a button: arrows move, Escape closes and gives the focus back. */
import { h, focusedElement } from '../base/dom.js';

/**
 * @param {HTMLElement} anchor
 * @param {{text: string, do: () => void, checked?: boolean, disabled?: boolean, danger?: boolean, detail?: string}[]}
 *     items
 */
export function openMenu(anchor, items) {
    document.querySelector('.menu')?.remove();
    const menu = h('div.menu', { role: 'menu' }, items.map((item) => h('button', {
        type: 'button', role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
        'aria-checked': item.checked === undefined ? null : String(item.checked),
        'aria-disabled': item.disabled ? 'true' : null, tabindex: '-1', class: item.danger ? 'danger' : '',
        on: { click: () => { if (!item.disabled) { close(); item.do(); } } },
    }, h('bdi', {}, item.text), item.detail && h('span.dim', {}, item.detail))));
    const frame = anchor.getBoundingClientRect();
    document.body.append(menu);
    const width = Math.min(menu.offsetWidth, innerWidth - 16);
    const isBelow = frame.bottom + menu.offsetHeight < innerHeight || frame.top < innerHeight / 2;
    menu.style.insetInlineStart = 'auto';
    menu.style.left = `${Math.max(8, Math.min(frame.left, innerWidth - width - 8))}px`;
    if (isBelow) menu.style.top = `${frame.bottom + 4}px`;
    else menu.style.bottom = `${innerHeight - frame.top + 4}px`;
    menu.style.maxHeight = `${Math.max(120, (isBelow ? innerHeight - frame.bottom : frame.top) - 16)}px`;
    /** @type {HTMLElement[]} */
    const buttons = [...menu.querySelectorAll('button')];
    const close = () => {
        menu.remove();
        removeEventListener('pointerdown', outside, true);
        if (anchor.isConnected) anchor.focus();
    };
    const outside = (e) => !menu.contains(e.target) && close();
    addEventListener('pointerdown', outside, true);
    menu.addEventListener('keydown', (e) => {
        const at = buttons.indexOf(focusedElement());
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[e.key];
        if (to !== undefined) buttons[(to + buttons.length) % buttons.length]?.focus();
        else if (e.key === 'Escape' || e.key === 'Tab') close();
        else if (e.key.length === 1 && e.key !== ' ') {
            const letter = e.key.toLowerCase();
            buttons.find((b, i) => i > at && b.textContent.toLowerCase().startsWith(letter))?.focus();
        } else return;
        if (e.key !== 'Enter' && e.key !== ' ') e.preventDefault();
    });
    buttons[0]?.focus();
}
