/** What can be done with an object beyond the store: mail, copies, files and paper. */
import { api, root } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { download, needStyle } from '../base/download.js';
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
    const speech = await import('./speech.js');
    const isSpoken = await speech.canSpeak().catch(() => false);
    const copy = () => act(async () => {
        await navigator.clipboard.writeText(reply.text);
        shell.announce(t('share.copied'));
    });
    /** The address of the object's page as a QR code. */
    const showAddress = () => act(async () => {
        const [code] = await Promise.all([import('./kinds/codePicture.js'), needStrings('kinds'), needStyle('kinds')]);
        await code.showCode(new URL(`${root}${path}`, location.href).href);
    });
    openMenu(anchor, [
        ...(reply.mail ? [{ text: t('share.mail'), do: () => { location.href = reply.mail; } }] : []),
        { text: t('share.copy'), do: copy },
        ...(isSpoken ? [{ text: t('share.speak'), do: () => act(() => speech.speak(reply.text)) }] : []),
        { text: t('share.code'), do: showAddress },
        { text: t('share.print'), do: () => print() },
        ...reply.forms.map((form) => ({ text: t(`share.${form}`),
            do: () => act(() => download(`${path}/share/${form}`, `${name}.${endings[form]}`)) })),
    ]);
}
