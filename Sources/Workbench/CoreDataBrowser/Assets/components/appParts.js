/** What the views of applications share: their style sheet, problems of their files, staging with one save. */
import { h, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { link } from '../base/router.js';
import { editsOf } from '../base/edits.js';
import { shell } from './shell.js';

/** Loads the style sheet of applications once. */
export function useStyles() {
    if (!document.querySelector('#app-styles')) {
        document.head.append(h('link', { id: 'app-styles', rel: 'stylesheet', href: link('/assets/styles/app.css') }));
    }
}

/** Whether a list's new objects open in a form. */
export const visibleForm = (form) => Boolean(form);

/** What in an application's files could not be followed. */
export function problemList(problems) {
    if (!problems?.length) return null;
    return h('details.note', {}, h('summary', {}, t('app.problems', { count: problems.length })),
        h('ul', {}, problems.map((p) => h('li', {},
            typeof p === 'string' ? stored(p)
                : [h('code', {}, [p.file, p.row ?? p.place ?? p.path].filter(Boolean).join(' ')), ' ',
                    stored(p.text ?? p.reason ?? '')]))));
}

/**
 * Stages steps and saves them at once, as an application's lists do; gives what was saved. What cannot be is reverted
 * and reported.
 */
export async function stageAndSave(app, name, steps) {
    const edits = editsOf(app.store);
    let isStaged = false;
    try {
        await edits.stage(name, steps);
        isStaged = true;
        return (await edits.save()).saved;
    } catch (error) {
        if (isStaged) await edits.undo().catch(() => {});
        const problems = error.body?.problems;
        if (problems?.length) shell.notify(problems.map((p) => p.text).join('\n'), 'error');
        else shell.fail(error);
        return null;
    }
}

/** Buttons of a view's own steps; none where nothing can be undone or redone. */
export function undoButtons(steps) {
    if (!steps.canUndo && !steps.canRedo) return null;
    return [button('↶', () => steps.undo(),
        { class: 'plain', 'aria-label': t('app.undo'), title: `${t('app.undo')} (Ctrl-Z)`, disabled: !steps.canUndo }),
        button('↷', () => steps.redo(), { class: 'plain', 'aria-label': t('app.redo'),
            title: `${t('app.redo')} (Ctrl-Shift-Z)`, disabled: !steps.canRedo })];
}
