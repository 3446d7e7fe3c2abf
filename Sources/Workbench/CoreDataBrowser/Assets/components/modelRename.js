/**
 * The dialog that renames an entity or a property in code and property lists too, after a look at what would change.
 */
import { h, fill, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { edit } from '../base/models.js';
import { openDialog } from './dialog.js';
import { failure, loading } from './states.js';
import { shell } from './shell.js';

/** Renames an item; true where it was. What files follow is asked about. */
export async function rename(view, item, to, keepsIdentity = false) {
    const { session } = view;
    const follows = session.reply.follows.length > 0 && !item.item.startsWith('composites/')
        && ['entity', 'attribute', 'relationship', 'fetched-property'].includes(item.kind);
    const choice = follows ? await choose(session, { item: item.item, to, keepsIdentity }) : 'alone';
    if (choice !== 'alone') return choice === 'written';
    return Boolean(await view.perform(edit('rename', item.item, to, ...(keepsIdentity ? ['--keep-identity'] : []))));
}

/** Answers `alone` for the model by itself, `written` once all files are, and null where it was given up. */
function choose(session, question) {
    const place = h('div.renaming', { 'aria-live': 'polite' });
    let seen = null;
    const look = async () => {
        seen = null;
        fill(place, loading());
        try {
            const reply = await api.post(address(['models', session.id, 'rename']),
                { ...question, version: session.version, dryRun: true });
            seen = reply.digest;
            fill(place, reply.files.map(difference), notes(reply.notes));
        } catch (error) {
            fill(place, failure(error, look));
        }
    };
    const write = async (close) => {
        if (!seen) return;
        const agreed = seen;
        seen = null;
        try {
            const reply = await session.post('rename', { ...question, seen: agreed });
            close('written');
            shell.notify(t('model.rename.done'));
            for (const text of reply.notes) shell.notify(text);
        } catch (error) {
            fill(place, failure(error, look));
        }
    };
    const opened = openDialog({
        title: t('model.rename.title', { name: question.item, to: question.to }), wide: true,
        body: [h('p', {}, t('model.rename.about')),
            h('ul.mono', {}, session.reply.follows.map((path) => h('li', {}, stored(path)))), place],
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('model.rename.alone'), do: (close) => close('alone') },
            { text: t('model.rename.everywhere'), class: 'primary', do: write }],
    });
    look();
    return opened;
}

function difference({ path, diff }) {
    const lines = diff.replace(/\n$/, '').split('\n').slice(2);
    const kind = (line) => (line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '');
    return h('section', {}, h('h3', {}, stored(path)), diff
        ? h('pre.diff', { tabindex: '0', 'aria-label': path },
            lines.map((line) => h('span', { class: kind(line) }, `${line}\n`)))
        : h('p.dim', {}, t('model.rename.same')));
}

const notes = (texts) => texts.length > 0 && h('section', {}, h('h3', {}, t('model.rename.notes')),
    h('ul', {}, texts.map((text) => h('li', {}, stored(text)))));
