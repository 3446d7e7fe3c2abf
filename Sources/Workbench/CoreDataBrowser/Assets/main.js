/** Begins the page: settings and strings, then the session, then the view that the address names. */
import { loadStrings, t } from './base/i18n.js';
import { applySettings } from './base/settings.js';
import { beginSession, isFromPrintedAddress } from './base/session.js';
import { startRouter } from './base/router.js';
import { openLastView } from './base/viewHistory.js';
import { root } from './base/api.js';
import { shell } from './components/shell.js';
import { failure } from './components/states.js';
import { act, editedStore, save, shownStore } from './components/editBar.js';
import { bindGlobalKeys } from './base/keyboard.js';
import { bindHints } from './base/hints.js';

applySettings();
await loadStrings();
const openPalette = () => import('./components/palette.js').then((m) => m.openPalette());
shell.build({
    openPalette,
    openPreferences: () => import('./components/preferences.js').then((m) => m.openPreferences()),
    showFileProblem: (problem) => import('./components/fileProblem.js').then((m) => m.showFileProblem(problem)),
    showSide: (parts, store) => import('./components/side.js').then((m) => m.showSide(parts, store)),
});
bindGlobalKeys({
    act, editedStore, save, shownStore, openPalette,
    openHelp: () => import('./components/help.js').then((m) => m.openHelp()),
    explainUndo: (store) => import('./components/savedUndo.js').then((m) => m.explainUndo(store)),
});
bindHints();
if (await beginSession()) {
    if (isFromPrintedAddress() && location.pathname === `${root}/`) await openLastView();
    startRouter({ shell, failure, load: (name) => import(`./pages/${name}.js`) });
} else {
    const { render } = await import('./pages/session.js');
    document.title = t('session.title');
    shell.show(render());
}
