/** The field of a relationship in an application's form: one object is picked, or several. */
import { h, fill, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';

/**
 * @param {any} row @param {string | string[] | null} value names of objects @param {string} id @param {string} store
 */
export function choiceField(row, value, id, store) {
    const labels = new Map(typeof value === 'string' && value ? [[value, row.text]] : []);
    /** @type {string[]} */
    let chosen = [];
    const list = h('ul.members', { 'aria-label': row.label });
    const control = button(row.many ? `+ ${t('picker.add')}` : t('picker.pick'), () => pick(),
        { id, class: 'small', 'aria-label': `${t(row.many ? 'picker.add' : 'picker.pick')}: ${row.label}` });
    const change = (next) => {
        chosen = next;
        draw();
        control.dispatchEvent(new Event('change'));
    };
    const draw = () => fill(list, chosen.map((name, place) => h('li', {}, stored(labels.get(name) || name),
        button('✕', () => { change(chosen.filter((_, i) => i !== place)); control.focus(); },
            { class: 'plain small', 'aria-label': t('edits.takeOut', { name: labels.get(name) || name }) }))));
    async function pick() {
        const { openPicker } = await import('./picker.js');
        // Only what is there is chosen: a new object has a form of its own.
        const picked = await openPicker({ id: store, concrete: () => [], entities: new Map() }, row.entity,
            t('picker.title', { name: row.label }));
        if (!picked || 'create' in picked) return;
        labels.set(picked.id, picked.label);
        change(row.many ? [...chosen, picked.id] : [picked.id]);
    }
    const set = (v) => {
        chosen = Array.isArray(v) ? [...v] : v ? [v] : [];
        draw();
    };
    set(value);
    return { control, element: h('div.chosen', {}, list, control), set,
        read: () => (row.many ? [...chosen] : chosen[0] ?? null) };
}
