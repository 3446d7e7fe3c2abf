/** The Swift classes of a model's entities, as they are generated. */
import { h, fill, button, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { failure, loading } from './states.js';
import { shell } from './shell.js';

const kept = { numbers: '', required: '', sets: '', validation: '' };

export function show(place, view) {
    const { session } = view;
    const entity = session.items.get(view.place)?.kind === 'entity' ? view.place : '';
    const result = h('div', {});
    const query = () => ({ version: session.version, entity: only.checked ? entity : '', ...kept });
    const ask = async () => {
        fill(result, loading());
        try {
            const reply = await api.get(address(['models', session.id, 'classes'], query()));
            write.hidden = !reply.folder || !session.editable;
            fill(result, reply.files.map(file));
        } catch (error) {
            fill(result, failure(error, ask));
        }
    };
    const flag = (name) => {
        const box = h('input', { type: 'checkbox', is: { checked: kept[name] === '1' },
            on: { change: () => { kept[name] = box.checked ? '1' : ''; ask(); } } });
        return h('label.line', {}, box, t(`model.classes.${name}`));
    };
    const only = h('input', { type: 'checkbox', is: { checked: Boolean(entity) }, disabled: !entity,
        on: { change: () => ask() } });
    const numbers = h('select',
        { 'aria-label': t('model.classes.numbers'), on: { change: () => { kept.numbers = numbers.value; ask(); } } },
        ['', 'scalar', 'object'].map((v) => h('option', { value: v, selected: kept.numbers === v },
            t(`model.classes.numbers${v}`))));
    const write = button(t('model.classes.write'), async () => {
        try {
            const reply = await api.post(address(['models', session.id, 'classes'], query()), {});
            shell.notify(t('model.classes.written',
                { count: reply.files.filter((f) => f.outcome === 'written').length, folder: reply.folder }));
        } catch (error) {
            shell.fail(error);
        }
    }, { class: 'primary', hidden: true });
    fill(place, h('h1', {}, t('model.view.classes')),
        h('div.line', {}, h('label.line', {}, only, stored(entity || t('model.classes.all'))), numbers,
            flag('required'), flag('sets'), flag('validation'), h('span.grow'), write), result);
    return ask();
}

function file({ name, text, replaced }) {
    const save = () => {
        const link = h('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    return h('section.classfile', {}, h('div.line', {}, h('h2', {}, stored(name)),
        h('span.tag', {}, t(replaced ? 'model.classes.replaced' : 'model.classes.kept')), h('span.grow'),
        button(t('model.copy'), () => navigator.clipboard.writeText(text).catch((error) => shell.fail(error)),
            { class: 'small' }), button(t('value.download'), save, { class: 'small' })),
        h('pre.mono', { tabindex: '0' }, text));
}
