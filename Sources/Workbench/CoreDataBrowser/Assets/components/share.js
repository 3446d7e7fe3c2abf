/** What can be done with an object beyond the store: mail, copies, files and paper. */
import { api } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { download } from '../base/download.js';
import { act } from './editBar.js';
import { openMenu } from './menu.js';
import { shell } from './shell.js';

/** The names of files by their form. */
const endings = { json: 'json', card: 'vcf', event: 'ics' };

/** Opens the menu of what an object at a path can be shared by. @param {HTMLElement} anchor @param {string} path */
export async function openShare(anchor, path) {
    const reply = await act(async () => {
        const [shared] = await Promise.all([api.get(`${path}/share`), needStrings('share')]);
        return shared;
    });
    if (!reply) return;
    const name = reply.title.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim().slice(0, 80) || 'object';
    const copy = () => act(async () => {
        await navigator.clipboard.writeText(reply.text);
        shell.announce(t('share.copied'));
    });
    openMenu(anchor, [
        ...(reply.mail ? [{ text: t('share.mail'), do: () => { location.href = reply.mail; } }] : []),
        { text: t('share.copy'), do: copy },
        { text: t('share.print'), do: () => print() },
        ...reply.forms.map((form) => ({ text: t(`share.${form}`),
            do: () => act(() => download(`${path}/share/${form}`, `${name}.${endings[form]}`)) })),
    ]);
}
