/**
 * What is shown of one object, in the pane beside a list and on a page of its own: attributes, relationships, fetched
 * properties.
 */
import { h, fill, find, focusedElement, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { needStyle } from '../base/download.js';
import { valueNode } from '../base/format.js';
import { editsOf } from '../base/edits.js';
import { onLive } from '../base/live.js';
import { go, link } from '../base/router.js';
import { failure } from './states.js';
import { bigValue, holdsBytes, storedTree } from './bigValue.js';
import { relationshipField } from './relationshipField.js';
import { act } from './editBar.js';
import { fieldEditor } from './fieldEditor.js';
import { kindLine } from './kinds/kindLine.js';
import { isEntered, kindEditor } from './kinds/kindEditor.js';

/**
 * @param {import('../base/store.js').StoreInfo} store @param {string} id
 * @param {{signal: AbortSignal, trail?: string[], isPage?: boolean}} options
 */
export async function objectPane(store, id, { signal, trail = [id], isPage = false }) {
    const path = `/stores/${store.id}/objects/${id.split('/').map(encodeURIComponent).join('/')}`;
    const edits = editsOf(store.id);
    const element = h('article.object');
    const own = new AbortController();
    signal.addEventListener('abort', () => own.abort());
    const refused = new Map();
    const draw = async () => {
        const [reply] = await Promise.all([api.get(path, own.signal), needStrings('kinds'),
            needStyle('kinds')]);
        const context = { store, id, path, edits, trail, entity: store.entities.get(reply.entity), reply, refused,
            again };
        const focused = element.contains(document.activeElement) ? focusedElement() : null;
        // What is being typed is not drawn over: the pane is drawn once the field has been left.
        if (focused?.dataset.typed === 'yes') {
            showElsewhere(focused, context, before);
            return void focused.addEventListener('blur', again, { once: true, signal: own.signal });
        }
        before = reply;
        const [field, start, end] = [focused?.dataset.field, focused?.selectionStart ?? null, focused?.selectionEnd];
        element.dataset.label = reply.label ?? id;
        fill(element, head(context, isPage), attributes(context), relationships(context), fetched(context));
        const next = field && find(element, `[data-field="${CSS.escape(field)}"]`);
        next?.focus();
        if (next && start !== null) next.setSelectionRange?.(start, end);
    };
    const again = () => {
        // A pane that was replaced by another object's is no longer asked for.
        if (wasShown && !element.isConnected) return own.abort();
        wasShown ||= element.isConnected;
        return draw().catch((error) => error.name !== 'AbortError' && fill(element, failure(error, again)));
    };
    let [wasShown, before] = [false, null];
    await draw();
    edits.addEventListener('change', again, { signal: own.signal });
    edits.addEventListener('saved', (/** @type {CustomEvent} */ { detail }) => {
        const saved = detail?.inserted?.[id];
        if (saved && isPage) go(`/stores/${store.id}/objects/${saved}`, { replace: true });
    }, { signal: own.signal });
    store.addEventListener('writing', again, { signal: own.signal });
    onLive((event) =>
        event.kind === 'saved' && [...(event.updated ?? []), ...(event.deleted ?? [])].includes(id) && again(),
        own.signal);
    if (isPage) import('./preview.js').then((m) => m.previews(element, store, own.signal));
    return element;
}

/** Shows beside a field that is being typed in what another user has saved there. */
function showElsewhere(field, { reply }, before) {
    const of = (object) => object?.attributes.find((a) => a.name === field.dataset.field);
    const [now, old] = [of(reply), of(before)];
    if (!now || JSON.stringify(now.value) === JSON.stringify(old?.value)) return;
    field.closest('dd')?.querySelector('.elsewhere')?.remove();
    field.closest('dd')?.append(h('span.elsewhere.was', { role: 'status' }, `${t('app.changedElsewhere')} `,
        valueNode(now.value, now.type)));
}

function head({ store, id, edits, reply, path }, isPage) {
    const isDeleted = edits.kind(id) === 'deleted';
    const duplicate = async (deep) => {
        const made = await act(() => edits.stage(t('edits.duplicateName'), [{ do: 'duplicate', object: id, deep }]));
        if (made?.created?.[0]) go(`/stores/${store.id}/objects/${made.created[0]}`);
    };
    return h('div.objecthead', {},
        h(isPage ? 'h1' : 'h2', {}, stored(reply.label ?? id),
            isDeleted && h('span.tag.problem', {}, t('edits.kind.deleted'))),
        h('div.line', {},
            !isPage && h('a.button', { href: link(path) }, t('object.open')),
            /\/p\d+$/.test(id) && h('a', { href: link(address(['stores', store.id, 'history'], { object: id })) },
                t('history.object')),
            /\/p\d+$/.test(id) && shareButton(path),
            store.writing && !isDeleted && [
                button(t('edits.duplicate'), () => duplicate(false), { class: 'small' }),
                isPage && button(t('edits.duplicateDeep'), () => duplicate(true), { class: 'small' }),
                button(t('action.delete'), async () => (await import('./deletion.js')).openDeletion(store, [id]),
                    { class: 'small danger' }),
            ]),
        h('p.dim', {}, h('code', {}, reply.uri ?? id)));
}

function shareButton(path) {
    const anchor = button(t('object.share'), async () => (await import('./share.js')).openShare(anchor, path),
        { class: 'small', 'aria-haspopup': 'menu' });
    return anchor;
}

function attributes(context) {
    const { entity, reply, edits, id, store } = context;
    const isFixed = !store.writing || edits.kind(id) === 'deleted';
    return [h('h2', {}, t('object.attributes')), h('dl.fields', {}, reply.attributes.map((attribute) => {
        const model = entity?.attributes.find((a) => a.name === attribute.name) ?? attribute;
        const staged = edits.staged(id, attribute.name);
        const isEdited = !isFixed && !model.readOnly && !attribute.unreadable;
        const value = staged ? staged.value : attribute.value;
        const problems = edits.problems(id, attribute.name);
        const wasNew = edits.kind(id) === 'inserted';
        const use = reply.kinds?.find((k) => k.key === attribute.name);
        const within = reply.kinds?.filter((k) => k.key.startsWith(`${attribute.name}.`)) ?? [];
        const nameId = `${id}-${attribute.name}`;
        return h('div.field', {},
            h('dt', { id: nameId,
                title: `${attribute.name} · ${attribute.type}${model.optional ? '' : ` · ${t('object.required')}`}` },
                stored(model.title ?? attribute.name), !model.optional && h('span', { 'aria-hidden': 'true' }, ' *')),
            h('dd', { class: staged && !wasNew ? 'changed' : '' },
                attribute.unreadable
                    ? h('span.problem', {}, `${t('value.unreadable')}: `, stored(serverText(attribute.unreadable)),
                        attribute.type === 'transformable' && storedTree(context, attribute))
                    : isEdited && use && isEntered(use, model) ? kindEditor(context, use, model, nameId)
                    : isEdited && !attribute.cut && !isBig(attribute) ? fieldEditor(context, model, value, nameId)
                        : isBig(attribute) || attribute.cut ? bigValue(context, attribute, model, isEdited)
                            : shown(value, attribute, model.style),
                [...(use ? [use] : []), ...within].map((one) => kindLine(context, one, isEdited)),
                staged && !wasNew && h('span.was', {}, `${t('edits.was')} `,
                    valueNode(staged.old ?? attribute.stored ?? null, attribute.type, model.style)),
                problems.map((p) => h('span.fieldproblem', { role: 'alert' }, stored(p.text)))));
    }))];
}

const isBig = (attribute) => holdsBytes(attribute)
    || ((attribute.type === 'transformable' || attribute.type === 'composite') && typeof attribute.value === 'object'
        && attribute.value !== null && !Array.isArray(attribute.value));

function shown(value, attribute, style) {
    if (typeof value !== 'string' || value.length <= 600) return valueNode(value, attribute.type, style);
    const rest = h('span', {}, valueNode(`${value.slice(0, 600)}…`, attribute.type), ' ');
    rest.append(button(t('action.more'), () => rest.replaceWith(valueNode(value, attribute.type)), { class: 'small' }));
    return rest;
}

function relationships(context) {
    const { reply, entity } = context;
    if (!reply.relationships?.length) return null;
    return [h('h2', {}, t('object.relationships')), h('dl.fields', {}, reply.relationships.map((r) => h('div.field', {},
        h('dt', { title: r.destination }, stored(r.name), r.toMany && h('span.tag', {}, r.count)),
        h('dd', { class: context.edits.staged(context.id, r.name) ? 'changed' : '' },
            r.unreadable ? h('span.problem', {}, stored(serverText(r.unreadable)))
                : relationshipField(context, { ...entity?.relationships.find((m) => m.name === r.name), ...r })))))];
}

function fetched(context) {
    const { reply } = context;
    if (!reply.fetched?.length) return null;
    return [h('h2', {}, t('object.fetched')), h('dl.fields', {}, reply.fetched.map((f) => h('div.field', {},
        h('dt', {}, stored(f.name), f.count !== null && h('span.tag', {}, f.count)),
        h('dd', {}, f.unreadable ? h('span.problem', {}, stored(serverText(f.unreadable)))
            : relationshipField(context, { ...f, toMany: true, fixed: true })))))];
}
