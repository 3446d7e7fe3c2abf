/** The rows of an application's form: what is read, what is edited, members of dynamic sections. */
import { h, button, stored } from '../base/dom.js';
import { address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go, link } from '../base/router.js';
import { valueNode, colorOf } from '../base/format.js';
import { appField } from './appField.js';
import { foundText } from './foundText.js';
import { picture } from './pictureField.js';
import { kindNode } from './kinds/kindNode.js';

export function formSection(state, s) {
    return h('fieldset.appgroup', {}, s.header && h('legend', {}, stored(s.header)),
        s.dynamic ? members(state, s) : s.rows.map((row) => line(state, row)));
}

function line(state, row) {
    const { app, reply, isEditing } = state;
    if (row.opens === 'report') {
        return h('a.appline', { href: link(address(['apps', app.id, 'reports', ...reply.id.split('/'), row.key])) },
            h('span.dim', {}, stored(row.label)), h('span', {}, stored(row.text ?? '')));
    }
    if (isEditing && !row.readOnly && row.kind !== 'object') return appField(state, row, () => state.check(row));
    const target = row.object && address(['apps', app.id, 'forms', row.detail, ...row.object.split('/')]);
    const value = shown(state, row);
    return h('div.appline', {}, h('span.dim', {}, stored(row.label)),
        target ? h('a', { href: link(target) }, value) : h('span', {}, value));
}

function shown({ app, reply }, row) {
    if (row.kind === 'color') {
        return h('i.swatch.wideswatch', { role: 'img',
            'aria-label': (row.color ?? []).join(', '), vars: { '--swatch': colorOf(row.color) ?? '#fff' } });
    }
    if (row.kind === 'image' && row.value !== null && !reply.new) return picture(app, reply, row);
    if (row.text === null || row.text === undefined) return valueNode(null);
    if (row.said) return kindNode(row.said);
    return row.kind === 'longText' ? foundText(row.text) : stored(row.text);
}

/** Members wait with their removal for Save, so that Cancel and undo bring them back. */
function members(state, s) {
    const { app, reply, isEditing } = state;
    const gone = new Set(state.removed.map((r) => r.object));
    const remove = (row, element) => {
        const removal = { object: row.object, steps: row.remove };
        const step = {
            redo: () => { state.removed.push(removal); element.hidden = true; },
            undo: () => { state.removed = state.removed.filter((r) => r !== removal); element.hidden = false; },
        };
        step.redo();
        state.history.note(step);
    };
    const rows = s.rows.map((row) => {
        const element = h('div.appline', { hidden: gone.has(row.object) },
            isEditing && button('−', () => remove(row, element),
                { class: 'round danger', 'aria-label': t('app.deleteRow', { name: row.text }) }),
            h('a.grow', { href: link(address(['apps', app.id, 'forms', row.detail, ...row.object.split('/')])) },
                stored(row.text ?? '')));
        return element;
    });
    return [rows, !s.rows.length && !isEditing && h('p.dim', {}, t('app.none')),
        isEditing && s.addable && button(`+ ${s.addLabel}`, () => go(address(
            ['apps', app.id, 'forms', s.addForm, s.entity, 'new'], { owner: reply.id, relationship: s.relationship })),
            { class: 'plain' })];
}
