/** The versions of a model: which is shown, which is current, more of them, and those that are no longer needed. */
import { h, button, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { ask, openDialog } from './dialog.js';
import { openMenu } from './menu.js';
import { shell } from './shell.js';
import { askName } from './sheets.js';

export function versionTools(view) {
    const { session } = view;
    const { versions, version, packaged, editable } = session.reply;
    const choice = h('select', { 'aria-label': t('model.version'), data: { tool: 'version' } }, versions.map((v) =>
        h('option', { value: v.name, selected: v.name === version }, v.current ? `${v.name} ✓` : v.name)));
    choice.addEventListener('change', () => view.act(() => session.show(choice.value)).then(() => view.note()));
    const send = async (page, body, shown) => {
        try {
            const reply = await api.post(`/models/${session.id}/${page}`, body);
            await session.show(shown ?? session.version);
            view.note();
            return reply;
        } catch (error) {
            return void shell.fail(error);
        }
    };
    const add = async () => {
        const name = await askName({ title: t('model.addVersion'), label: t('model.versionName'),
            action: t('model.add') });
        if (name?.text.trim()) await send('versions', { add: name.text.trim(), from: version }, name.text.trim());
    };
    const isCurrent = versions.find((v) => v.name === version)?.current;
    return [choice, packaged && editable && button('⋯', (e) => openMenu(e.currentTarget, [
        { text: t('model.addVersion'), do: add },
        { text: t('model.makeCurrent'), disabled: isCurrent, do: () => send('versions', { current: version }) },
        { text: t('model.prune'), disabled: versions.length < 2, danger: true, do: () => prune(session, send) },
    ]), { 'aria-label': t('model.versions'), 'aria-haspopup': 'menu', data: { tool: 'versions' } })];
}

/** Asks which of the shown stores are out there, shows what would go, and removes it. */
async function prune(session, send) {
    const { stores } = await api.get('/');
    const boxes = stores.map((s) => [s, h('input', { type: 'checkbox', is: { checked: true } })]);
    const chosen = await openDialog({
        title: t('model.prune'),
        body: h('div', {}, h('p', {}, t('model.pruneAbout')), boxes.length
            ? h('ul', {}, boxes.map(([s, box]) => h('li', {}, h('label.line', {}, box, stored(s.name)))))
            : h('p.dim', {}, t('model.noStores'))),
        actions: [{ text: t('action.cancel'), do: (close) => close() }, { text: t('model.look'), class: 'primary',
            do: (close) => close(boxes.filter(([, b]) => b.checked).map(([s]) => s.id)) }],
    });
    if (!chosen) return;
    const reply = await send('prune', { stores: chosen, dryRun: true });
    const gone = reply?.versions.filter((v) => !v.isNeeded).map((v) => v.name) ?? [];
    if (!reply) return;
    if (!gone.length) return void shell.notify(t('model.allNeeded'));
    if (await ask({ title: t('model.prune'), text: t('model.pruneText', { names: gone.join(', ') }),
        action: t('model.prune'), danger: true })) {
            await send('prune', { stores: chosen }, reply.versions.find((v) => v.isCurrent)?.name);
        }
    return undefined;
}
