/**
 * An object in an application's form: read, or edited with Save and Cancel, or saved field by field where its list says
 * so.
 */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { reload } from '../base/router.js';
import { keysFor } from '../base/keyboard.js';
import { onLive, follow } from '../base/live.js';
import { storeInfo } from '../base/store.js';
import { draftOf, dropDraft, keepDraft } from '../base/drafts.js';
import { beneath } from '../base/viewHistory.js';
import { openDialog } from '../components/dialog.js';
import { formSection } from '../components/formRows.js';
import { FormHistory } from '../components/formHistory.js';
import { problemList, stageAndSave, undoButtons, useStyles } from '../components/appParts.js';
import { shell } from '../components/shell.js';

/**
 * The last note about a draft, which is not true any more once the form is opened again, saved or given up.
 * @type {?HTMLElement}
 */
let draftNote = null;

function noteDraft(text) {
    draftNote?.remove();
    draftNote = text && shell.notify(text);
}

export async function render({ params, query, signal }) {
    useStyles();
    const owner = { owner: query.get('owner') ?? '', relationship: query.get('relationship') ?? '' };
    const path = address(['apps', params.app, 'forms', params.form, params.entity, params.key], owner);
    const [app, reply] = await Promise.all([api.get(`/apps/${params.app}`, signal), api.get(path, signal)]);
    const content = h('div');
    const draft = draftOf(path);
    const state = { app, reply, path, given: readValues(query.get('values')), isEditing: reply.new || draft !== null,
        fields: new Map(), removed: draft?.removed ?? [] };
    state.history = new FormHistory(() => drawSteps(content, state));
    state.savesFields = () => state.reply.saves === 'field' && !state.reply.new;
    state.check = (row) => check(state, row);
    state.draw = () => {
        state.fields.clear();
        fill(content, head(state),
            h('form.appform', { on: { submit: (e) => { e.preventDefault(); if (state.isEditing) save(state); } } },
                state.reply.sections.map((s) => formSection(state, s))));
        drawSteps(content, state);
        if (state.isEditing) requestAnimationFrame(() => focusFirst(content));
    };
    state.draw();
    if (draft) resume(state, draft);
    keepWhatIsTyped(state, signal);
    const steps = { undo: () => state.isEditing && state.history.undo(),
        redo: () => state.isEditing && state.history.redo(), save: () => state.isEditing && save(state) };
    keysFor(steps, signal);
    storeInfo(app.store).then(follow, () => {});
    if (!reply.new) {
        onLive((event) => event.kind === 'saved' && event.store === app.store
            && followSave(state, event, signal).catch(shell.fail), signal);
    }
    const way = beneath(app.id).map((view) => [view.title, view.path]);
    return {
        element: h('div.page.app', {}, problemList(reply.problems), content),
        title: reply.new ? reply.title : reply.label, storeID: app.store,
        crumbs: [[t('stores.title'), '/'], ...(way.length ? way : [[app.title, `/apps/${app.id}`]]),
            [reply.new ? reply.title : reply.label]],
    };
}

/** Begins in the first field, unless a person was quicker and is in another one. */
function focusFirst(content) {
    if (content.querySelector('.appform')?.contains(document.activeElement)) return;
    content.querySelector('.appform input, .appform textarea')?.focus();
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

function drawSteps(content, state) {
    const place = content.querySelector('.steps');
    if (place) fill(place, state.isEditing && undoButtons(state.history));
}

function head(state) {
    const { reply, isEditing } = state;
    const end = () => {
        forgetDraft(state);
        if (reply.new) return leave(state);
        Object.assign(state, { isEditing: false, removed: [] });
        state.history.clear();
        return state.draw();
    };
    state.title = h('h1.grow', {}, stored(reply.new ? reply.title : reply.label || reply.title));
    return h('div.line', {}, state.title, h('span.steps'),
        !isEditing ? reply.editable && button(t('action.edit'), () => { state.isEditing = true; state.draw(); })
            : state.savesFields() ? button(t('action.done'), end, { class: 'primary' })
                : [button(t('action.cancel'), end), button(t('action.save'), () => save(state), { class: 'primary' })]);
}

/** Shows what others saved: fields follow, but what is being typed stays and the other value is shown beside it. */
async function followSave(state, event, signal) {
    const { reply } = state;
    if (event.deleted?.includes(reply.id)) {
        return shell.notify(t('app.deletedElsewhere', { name: reply.label }), 'error');
    }
    const next = await api.get(state.path, signal);
    if (JSON.stringify(next) === JSON.stringify(state.reply)) return undefined;
    state.reply = next;
    if (!state.isEditing) return state.draw();
    fill(state.title, stored(next.label || next.title));
    for (const row of next.sections.flatMap((s) => s.rows)) state.fields.get(row.key)?.follow(row);
    return undefined;
}

/** The values that a person changed; the others stay as they are. */
const entered = (state) => Object.fromEntries([...state.fields].filter(([, field]) => field.isTouched())
    .map(([key, field]) => [key, field.read()]));

/** Where values are sent: fields read numbers as the region writes them, and send plain ones. */
function entering(path, below = '') {
    const [place, query] = path.split('?');
    return `${place}${below}?${query ? `${query}&` : ''}numbers=plain`;
}

/** Checks a field as it is left, and saves it where the form saves field by field. */
async function check(state, row) {
    const field = state.fields.get(row.key);
    if (!field?.isTouched()) return;
    const doubt = field.problem?.();
    if (doubt) return refuse(state, { key: row.key, text: doubt });
    const reply = await api.post(entering(state.path, '/check'), { values: { [row.key]: field.read() } })
        .catch((error) => error.body ?? {});
    const problem = reply.problems?.[0];
    if (problem) await refuse(state, problem);
    else if (state.savesFields()) await save(state);
}

/** Fix keeps text and focus, Cancel brings the stored value back. */
async function refuse(state, problem) {
    if (document.querySelector('dialog[open]')) return;
    const field = state.fields.get(problem.key);
    const isFixed = await openDialog({
        title: t('app.validation'), body: h('p.pre', {}, stored(serverText(problem.text ?? problem.reason ?? ''))),
        actions: [{ text: t('action.cancel'), do: (close) => close('cancel') },
            { text: t('action.fix'), class: 'primary', do: (close) => close('fix') }],
    });
    if (isFixed === 'cancel') field?.restore();
    else field?.control.focus();
}

async function save(state) {
    for (const [key, field] of state.fields) {
        const doubt = field.isTouched() && field.problem?.();
        if (doubt) return refuse(state, { key, text: doubt });
    }
    let reply;
    try {
        reply = await api.post(entering(state.path), { values: entered(state) });
    } catch (error) {
        const problem = error.body?.problems?.[0];
        return problem ? refuse(state, problem) : shell.fail(error);
    }
    // A list below an object gives new objects their parent, which the form does not show.
    const linked = reply.steps.map((s) => (s.do === 'insert' && state.reply.new && s.entity === state.reply.entity
        ? { ...s, values: { ...state.given, ...s.values } }
        : s));
    const steps = [...linked, ...state.removed.flatMap((r) => r.steps)];
    if (steps.length && !await stageAndSave(state.app, t('action.save'), steps)) return undefined;
    forgetDraft(state);
    if (state.reply.new) return leave(state);
    if (state.savesFields()) return followSave(state, {});
    state.isEditing = false;
    return reload();
}

/** Leaves the form of a new object, which was saved or given up. */
function leave(state) {
    state.isEditing = false;
    history.back();
}

/** Keeps what was typed when the form is left by a link, by Back or by closing the page. */
function keepWhatIsTyped(state, signal) {
    const note = () => {
        const typed = [...state.fields].map(([key, field]) => [key, field.draft()]).filter(([, one]) => one);
        if (!state.isEditing || !typed.length && !state.removed.length) return dropDraft(state.path);
        return keepDraft(state.path, { values: Object.fromEntries(typed), removed: state.removed });
    };
    addEventListener('pagehide', note, { signal });
    signal.addEventListener('abort', () => {
        note();
        if (draftOf(state.path)) noteDraft(t('app.typingKept', { name: state.reply.label || state.reply.title }));
    });
}

/** Puts what was typed before into the fields. */
function resume(state, draft) {
    for (const [key, one] of Object.entries(draft.values)) state.fields.get(key)?.resume(one);
    noteDraft(t('app.typingResumed'));
}

function forgetDraft(state) {
    dropDraft(state.path);
    noteDraft(null);
}
