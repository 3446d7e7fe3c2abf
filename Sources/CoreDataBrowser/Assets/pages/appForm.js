/** An object in an application's form: read, or edited with Save and Cancel; dynamic sections and reports. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { go, link, reload } from '../base/router.js';
import { valueNode, colorOf } from '../base/format.js';
import { openDialog } from '../components/dialog.js';
import { appField } from '../components/appField.js';
import { problemList, stageAndSave, useStyles } from '../components/appParts.js';
import { shell } from '../components/shell.js';

export async function render({ params, query, signal }) {
    useStyles();
    const owner = { owner: query.get('owner') ?? '', relationship: query.get('relationship') ?? '' };
    const path = address(['apps', params.app, 'forms', params.form, params.entity, params.key], owner);
    const [app, told] = await Promise.all([api.get(`/apps/${params.app}`, signal), api.get(path, signal)]);
    const given = readValues(query.get('values'));
    const state = { app, told, path, given, isEditing: told.new, fields: new Map(), removed: [] };
    const content = h('div');
    state.draw = () => {
        state.fields.clear();
        fill(content, head(state), h('form.appform', { on: { submit: (e) => { e.preventDefault(); if (state.isEditing) save(state); } } }, told.sections.map((s) => section(state, s))));
        if (state.isEditing) content.querySelector('.appform input')?.focus();
    };
    state.draw();
    return { element: h('div.page.app', {}, problemList(told.problems), content), title: told.title, crumbs: [[t('stores.title'), '/'], [app.title, `/apps/${app.id}`], [told.new ? told.title : told.label]] };
}

/** The values that a list gives a new object, from the address. */
function readValues(text) {
    try {
        const found = JSON.parse(text ?? '{}');
        return found && typeof found === 'object' && !Array.isArray(found) ? found : {};
    } catch {
        return {};
    }
}

function head(state) {
    const { told, isEditing } = state;
    const cancel = () => {
        if (told.new) return history.back();
        state.isEditing = false;
        state.removed = [];
        return state.draw();
    };
    return h('div.line', {}, h('h1.grow', {}, stored(told.new ? told.title : told.label || told.title)),
        isEditing ? [button(t('action.cancel'), cancel), button(t('action.save'), () => save(state), { class: 'primary' })]
            : told.editable && button(t('action.edit'), () => { state.isEditing = true; state.draw(); }));
}

function section(state, s) {
    return h('fieldset.appgroup', {}, s.header && h('legend', {}, stored(s.header)), s.dynamic ? dynamic(state, s) : s.rows.map((row) => line(state, row)));
}

function line(state, row) {
    const { app, told, isEditing } = state;
    if (row.opens === 'report') return h('a.appline', { href: link(address(['apps', app.id, 'reports', ...told.id.split('/'), row.key])) }, h('span.dim', {}, stored(row.label)), h('span', {}, stored(row.text ?? '')));
    if (isEditing && !row.readOnly && row.kind !== 'object') return appField(state, row, () => check(state, row));
    const value = row.kind === 'color' ? h('i.swatch.wideswatch', { role: 'img', 'aria-label': (row.color ?? []).join(', '), vars: { '--swatch': colorOf(row.color) ?? '#fff' } }) : row.text === null || row.text === undefined ? valueNode(null) : stored(row.text);
    const target = row.object && address(['apps', app.id, 'forms', row.detail, ...row.object.split('/')]);
    return h('div.appline', {}, h('span.dim', {}, stored(row.label)), target ? h('a', { href: link(target) }, value) : h('span', {}, value));
}

/** Members wait with their removal for Save, so that Cancel brings them back. */
function dynamic(state, s) {
    const { app, told, isEditing, removed } = state;
    const gone = new Set(removed.map((r) => r.object));
    return [s.rows.filter((row) => !gone.has(row.object)).map((row) => h('div.appline', {},
        isEditing && button('−', () => { keep(state); removed.push({ object: row.object, steps: row.remove }); state.draw(); }, { class: 'round danger', 'aria-label': t('app.deleteRow', { name: row.text }) }),
        h('a.grow', { href: link(address(['apps', app.id, 'forms', row.detail, ...row.object.split('/')])) }, stored(row.text ?? '')))),
    isEditing && s.addable && button(`+ ${s.addLabel}`, () => go(address(['apps', app.id, 'forms', s.addForm, s.entity, 'new'], { owner: told.id, relationship: s.relationship })), { class: 'plain' })];
}

/** Keeps what was typed when the form is drawn anew. */
function keep(state) {
    for (const [key, field] of state.fields) {
        const row = state.told.sections.flatMap((s) => s.rows).find((r) => r.key === key);
        if (row) Object.assign(row, { entered: field.read() });
    }
}

const values = (state) => Object.fromEntries([...state.fields].map(([key, field]) => [key, field.read()]));

/** Checks a field as it is left. */
async function check(state, row) {
    const field = state.fields.get(row.key);
    const [path, query] = state.path.split('?');
    const told = await api.post(`${path}/check${query ? `?${query}` : ''}`, { values: { [row.key]: field.read() } }).catch((error) => error.body ?? {});
    const problem = told.problems?.[0];
    if (problem) await refuse(state, problem);
}

/** Fix keeps text and focus, Cancel brings the stored value back. */
async function refuse(state, problem) {
    if (document.querySelector('dialog[open]')) return;
    const field = state.fields.get(problem.key);
    const isFixed = await openDialog({
        title: t('app.validation'), body: h('p.pre', {}, stored(problem.text ?? problem.reason ?? '')),
        actions: [{ text: t('action.cancel'), do: (close) => close('cancel') }, { text: t('action.fix'), class: 'primary', do: (close) => close('fix') }],
    });
    if (isFixed === 'cancel') field?.restore();
    else field?.control.focus();
}

async function save(state) {
    let told;
    try {
        told = await api.post(state.path, { values: values(state) });
    } catch (error) {
        const problem = error.body?.problems?.[0];
        return problem ? refuse(state, problem) : shell.fail(error);
    }
    // A list below an object gives new objects their parent, which is no field of the form.
    const linked = told.steps.map((s) => (s.do === 'insert' && state.told.new && s.entity === state.told.entity ? { ...s, values: { ...state.given, ...s.values } } : s));
    const steps = [...linked, ...state.removed.flatMap((r) => r.steps)];
    if (steps.length && !await stageAndSave(state.app, t('action.save'), steps)) return undefined;
    return state.told.new ? history.back() : reload();
}
