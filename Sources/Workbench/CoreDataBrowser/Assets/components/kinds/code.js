/** A text as a code: drawn, and scanned from a picture or by the camera. */
import { h, button } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { act } from '../editBar.js';
import { codePicture } from './codePicture.js';
import { valueOf } from './kinds.js';

/** @param {any} context @param {import('./kindNode.js').KindUse & {content?: any}} use @param {boolean} isEdited */
export async function view(context, use, isEdited) {
    const problem = h('p.fieldproblem', { role: 'alert' });
    const picture = use.content && await codePicture(use.content.text, use.content.type).catch((error) => {
        problem.textContent = [error.message, error.hint].filter(Boolean).join('; ');
        return null;
    });
    const scan = (startsCamera) => act(async () => {
        const text = await (await import('./codeScan.js')).scan(startsCamera);
        if (text === null) return;
        try {
            const value = await valueOf(context.store.id, context.entity.name, use.key, text);
            await context.edits.stage(t('edits.setName', { name: use.key }),
                [{ do: 'set', object: context.id, key: use.key, value }]);
        } catch (error) {
            if (error.status !== 422) throw error;
            problem.textContent = error.message;
        }
    });
    return h('div.kindview', {}, picture, isEdited && h('div.line', {},
        button(t('kinds.code.scanPicture'), () => scan(false), { class: 'small' }),
        button(t('kinds.code.scanCamera'), () => scan(true), { class: 'small' })), problem);
}
