/** What a check finds in a model, each with what repairs it where nothing has to be decided. */
import { h, fill, button, stored } from '../base/dom.js';
import { t } from '../base/i18n.js';

export function show(place, view) {
    const { findings } = view.session;
    fill(place, h('h1', {}, t('model.view.findings')),
        findings.length === 0 ? h('p', {}, h('strong', {}, t('model.sound')))
            : h('ul.findings', {}, findings.map((f) => findingRow(view, f, true))));
}

/** A finding; `leads` makes its item a button that selects it. */
export function findingRow(view, finding, leads = false) {
    const repair = async () => {
        if (await view.act(() => view.session.perform(finding.repair, t('model.repaired', { rule: finding.rule })))) {
            await view.session.check();
    
        } };
    return h('li.change', { class: finding.severity === 'error' ? 'deleted' : '', data: { rule: finding.rule } },
        h('div.line', {},
            h('span.tag', { data: { severity: finding.severity } }, t(`model.severity.${finding.severity}`)),
            leads && finding.item && button(
                stored(finding.item), () => view.select(finding.item, { focuses: true }), { class: 'plain small' }),
            h('span.grow'),
            finding.repair && view.session.editable && button(t('model.repair'), repair,
                { class: 'small', title: finding.repair.join('\n'), data: { repair: finding.rule } })),
    h('p', {}, stored(finding.sentence)), h('p.dim', {}, stored(finding.remedy),
        finding.line ? ` · ${t('model.line', { line: finding.line })}` : ''));
}
