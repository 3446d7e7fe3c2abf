/** Begins the page: settings and strings, then the session, then the view that the address names. */
import { loadStrings, t } from './base/i18n.js';
import { applySettings } from './base/settings.js';
import { beginSession, isFromPrintedAddress } from './base/session.js';
import { startRouter } from './base/router.js';
import { openLastView } from './base/viewHistory.js';
import { root } from './base/api.js';
import { shell } from './components/shell.js';
import { bindGlobalKeys } from './base/keyboard.js';
import { bindHints } from './base/hints.js';

applySettings();
await loadStrings();
shell.build();
bindGlobalKeys();
bindHints();
if (await beginSession()) {
    if (isFromPrintedAddress() && location.pathname === `${root}/`) await openLastView();
    startRouter();
} else {
    const { render } = await import('./pages/session.js');
    document.title = t('session.title');
    shell.show(render());
}
