/** Appearance, language and time zone. */
import { h } from '../base/dom.js';
import { t, languages } from '../base/i18n.js';
import { settings, choose } from '../base/settings.js';
import { openDialog } from './dialog.js';

export function openPreferences() {
    const select = (name, options, after = () => {}) =>
        h('select', { id: `set-${name}`, on: { change: (e) => { choose(name, e.target.value); after(); } } },
            options.map(([value, text]) => h('option', { value, selected: settings[name] === value }, text)));
    const zones = /** @type {{supportedValuesOf?: (key: string) => string[]}} */ (Intl).supportedValuesOf?.('timeZone')
        ?? [];
    return openDialog({
        title: t('settings.title'),
        body: h('div.formgrid', {},
            h('label', { for: 'set-theme' }, t('settings.theme')), select('theme', [['auto', t('settings.themeAuto')],
                ['light', t('settings.themeLight')], ['dark', t('settings.themeDark')]]),
            h('label', { for: 'set-language' }, t('settings.language')), select('language',
                [['', t('settings.languageAuto')], ...Object.entries(languages)], () => location.reload()),
            h('label', { for: 'set-zone' }, t('settings.zone')), select('zone',
                [['UTC', 'UTC'], ['local', t('settings.zoneLocal')], ...zones.map((z) => [z, z])])),
        actions: [{ text: t('help.title'), do: (close) => { close(); import('./help.js').then((m) => m.openHelp()); } },
            { text: t('action.done'), class: 'primary', do: (close) => close() }],
    });
}
