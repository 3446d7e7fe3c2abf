/** Appearance, language, formats and time zone. */
import { h } from '../base/dom.js';
import { language, languages, t } from '../base/i18n.js';
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
                [['', t('settings.languageAuto')], ...languages()], () => location.reload()),
            h('label', { for: 'set-formats' }, t('settings.formats')), select('formats',
                [['', t('settings.languageAuto')], ...regions()], () => location.reload()),
            h('label', { for: 'set-zone' }, t('settings.zone')), select('zone',
                [['UTC', 'UTC'], ['local', t('settings.zoneLocal')], ...zones.map((z) => [z, z])])),
        actions: [{ text: t('help.title'), do: (close) => { close(); import('./help.js').then((m) => m.openHelp()); } },
            { text: t('action.done'), class: 'primary', do: (close) => close() }],
    });
}

/** Regions whose formats many people use; others are those of the language that the browser asks for. */
const tags = ['en-US', 'en-GB', 'en-IN', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CA', 'fr-CH', 'ar', 'ar-EG', 'ar-SA',
    'es-ES', 'es-MX', 'it-IT', 'ja-JP', 'nl-NL', 'pl-PL', 'pt-BR', 'sv-SE', 'th-TH', 'tr-TR', 'zh-CN'];

/** The regions with their names in the page's language, and how a number looks there. */
function regions() {
    const names = new Intl.DisplayNames(language(), { type: 'language', languageDisplay: 'standard' });
    return tags.map((tag) => [tag, `${names.of(tag)} · ${new Intl.NumberFormat(tag).format(1234.5)}`])
        .sort(([, one], [, other]) => one.localeCompare(other, language()));
}
