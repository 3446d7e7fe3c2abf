/** The objects of a relationship, in place: followed, picked, created and linked, taken out, moved. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { objectLink } from '../base/router.js';
import { valueNode } from '../base/format.js';
import { act } from './editBar.js';
import { shell } from './shell.js';

export function relationshipField(context, r) {
    const isFixed = r.fixed || !context.store.writing || context.edits.kind(context.id) === 'deleted';
    return r.toMany ? many(context, r, isFixed) : one(context, r, isFixed);
}

const target = ({ store, trail }, object) => h('a',
    { href: objectLink(store.id, object.id, trail), data: { preview: object.id } }, stored(object.label || object.id));

/** Opens the picker and stages what was picked; a new object is made and linked in one step. */
async function pick(context, r) {
    const { openPicker } = await import('./picker.js');
    const picked = await openPicker(context.store, r.destination, t('picker.title', { name: r.name }));
    if (!picked) return;
    const member = 'create' in picked ? '@0' : picked.id;
    /** @type {Record<string, any>[]} */
    const steps = 'create' in picked ? [{ do: 'insert', entity: picked.create, values: picked.values }] : [];
    steps.push(r.toMany ? { do: 'add', object: context.id, key: r.name, member }
        : { do: 'set', object: context.id, key: r.name, value: member });
    await act(() => context.edits.stage(t('edits.linkName', { name: r.name }), steps));
}

function one(context, r, isFixed) {
    return h('div.control', {}, r.target ? target(context, r.target) : valueNode(null),
        !isFixed && [
            button(t('picker.pick'), () => pick(context, r),
                { class: 'small', 'data-field': r.name, 'aria-label': `${t('picker.pick')}: ${r.name}` }),
            r.target && button(t('picker.clear'),
                () => act(() => context.edits.stage(t('edits.linkName', { name: r.name }),
                    [{ do: 'set', object: context.id, key: r.name, value: null }])),
                { class: 'small', 'aria-label': `${t('picker.clear')}: ${r.name}` }),
        ]);
}

function many(context, r, isFixed) {
    const list = h('ul.members');
    const rest = h('div');
    let members = [...(r.members ?? [])];
    const move = (from, to) => {
        if (to < 0 || to >= r.count || from === to) return;
        act(() => context.edits.stage(t('edits.moveName', { name: r.name }),
            [{ do: 'move', object: context.id, key: r.name, from, to }]))
            .then(() => shell.announce(t('edits.moved', { to: to + 1 })));
    };
    const draw = () => {
        fill(list, members.map((m, i) => item(context, r, m, i, isFixed, move)));
        fill(rest, members.length < r.count && button(t('object.moreMembers', { count: r.count - members.length }),
            async () => {
                const reply = await act(() =>
                    api.get(address([...context.path.slice(1).split('/').map(decodeURIComponent), 'related', r.name],
                        { offset: members.length, limit: 100 })));
                members = [...members, ...(reply?.rows ?? [])];
                draw();
            }, { class: 'small' }));
    };
    draw();
    return h('div', {}, r.count === 0 && h('span.nil', {}, t('object.noMembers')), list, rest,
        !isFixed && button(`+ ${t('picker.add')}`, () => pick(context, r),
            { class: 'small', 'data-field': r.name, 'aria-label': `${t('picker.add')}: ${r.name}` }));
}

function item(context, r, member, index, isFixed, move) {
    const isMoved = r.ordered && !isFixed;
    const grip = isMoved && h('span.grip', { 'aria-hidden': 'true' }, '⠿');
    const element = h('li', { draggable: isMoved ? 'true' : null }, grip, target(context, member),
        isMoved && [button('↑', () => move(index, index - 1),
            { class: 'plain small', 'aria-label': t('edits.up', { name: member.label }), disabled: index === 0 }),
            button('↓', () => move(index, index + 1), { class: 'plain small',
                'aria-label': t('edits.down', { name: member.label }), disabled: index === r.count - 1 })],
        !isFixed && button('✕',
            () => act(() => context.edits.stage(t('edits.linkName', { name: r.name }),
                [{ do: 'remove', object: context.id, key: r.name, member: member.id }])),
            { class: 'plain small', 'aria-label': t('edits.takeOut', { name: member.label }) }));
    if (!isMoved) return element;
    element.addEventListener('keydown', (e) => {
        if (!e.altKey || (e.key !== 'ArrowUp' && e.key !== 'ArrowDown')) return;
        e.preventDefault();
        move(index, index + (e.key === 'ArrowUp' ? -1 : 1));
    });
    const type = `text/x-member-${r.name.toLowerCase()}`;
    element.addEventListener('dragstart', (e) => e.dataTransfer.setData(type, String(index)));
    element.addEventListener('dragover',
        (e) => { if (e.dataTransfer.types.includes(type)) { e.preventDefault(); element.classList.add('over'); } });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (e) => {
        e.preventDefault();
        element.classList.remove('over');
        move(Number(e.dataTransfer.getData(type)), index);
    });
    return element;
}
