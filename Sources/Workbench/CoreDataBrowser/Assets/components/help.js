/** The keys that work. */
import { h } from '../base/dom.js';
import { needStrings, t } from '../base/i18n.js';
import { keys } from '../base/keyboard.js';
import { openDialog } from './dialog.js';

export async function openHelp() {
    await needStrings('help');
    return openDialog({
        title: t('help.title'),
        body: h('dl.keys', {},
            keys.map(([name, pressed]) => [h('dt', {}, h('kbd', {}, pressed)), h('dd', {}, t(name))])),
        actions: [{ text: t('action.close'), class: 'primary', do: (close) => close() }],
    });
}
