/** Conflicts of a save in three columns: mine, theirs and what was before; a choice for each property. */
import { h, stored, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { valueNode } from '../base/format.js';
import { openDialog } from './dialog.js';

/**
 * The choices; null where they were given up.
 * @param {{object: string, label: string, kind: string, properties: any[]}[]} conflicts
 */
export async function openConflicts(conflicts) {
    const picks = conflicts.map((c) => (c.kind === 'deleted' ? { object: c.object, take: 'theirs' }
        : { object: c.object, properties: Object.fromEntries(c.properties.map((p) => [p.key, 'mine'])) }));
    const chosen = await openDialog({
        title: t('conflicts.title'), wide: true,
        body: h('div', {}, h('p', {}, t('conflicts.text')), conflicts.map((c, i) => h('section', {},
            h('h3', {}, stored(c.label || c.object)), c.kind === 'deleted' ? deleted(picks[i]) : table(c, picks[i])))),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('conflicts.save'), class: 'primary', do: (close) => close(true) }],
    });
    return chosen ? picks : null;
}

function radio(group, isOn, label, choose) {
    return h('label', {}, h('input', { type: 'radio', name: group, is: { checked: isOn }, on: { change: choose } }),
        h('span', {}, label));
}

function table(conflict, pick) {
    return h('table.threeway', {},
        h('thead', {}, h('tr', {},
            ['key', 'mine', 'theirs', 'base'].map((name) => h('th', { scope: 'col' }, t(`conflicts.${name}`))))),
        h('tbody', {}, conflict.properties.map((p) => {
            const group = uid('pick');
            const cell = (side) => h('td', {}, radio(group, pick.properties[p.key] === side, valueNode(p[side]),
                () => { pick.properties[p.key] = side; }));
            return h('tr', {}, h('th', { scope: 'row' }, stored(p.key)), cell('mine'), cell('theirs'),
                h('td', {}, valueNode(p.base)));
        })));
}

function deleted(pick) {
    const group = uid('pick');
    return h('div', {}, h('p', {}, t('conflicts.deleted')), ['theirs', 'mine'].map((side) => h('div', {},
        radio(group, pick.take === side, t(side === 'mine' ? 'conflicts.takeMine' : 'conflicts.takeTheirs'),
            () => { pick.take = side; }))));
}
