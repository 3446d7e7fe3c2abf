/** The recordings that are shown, and the processes that can be recorded. */
import { h, button, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { needStrings, t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { link, go, reload } from '../base/router.js';
import { shell } from '../components/shell.js';
import { empty } from '../components/states.js';

export async function render({ signal }) {
    await needStrings('instruments');
    const { traces, processes, problem } = await api.get('/instruments', signal);
    const record = async (pid) => {
        try {
            const { trace } = await api.post('/instruments', { pid });
            go(`/instruments/${trace.id}`);
        } catch (error) {
            shell.fail(error);
        }
    };
    const element = h('div.page', {}, h('h1', {}, t('instruments.title')), h('p.dim', {}, t('instruments.about')),
        h('section', {}, h('h2', {}, t('instruments.traces')), traces.length === 0
            ? h('p.dim', {}, t('instruments.noTraces'))
            : h('ul.cards', {},
                traces.map((trace) => h('li', {}, h('a.card', { href: link(`/instruments/${trace.id}`) },
                    h('strong', {}, stored(trace.name)),
                    trace.recording && h('span.tag', {}, t('instruments.recording'))))))),
        h('section', {}, h('h2', {}, t('instruments.processes')), processes.length === 0
            ? empty(t(problem ? 'instruments.noSockets' : 'instruments.noProcesses'), problem
                ? `${serverText(problem.reason)}. ${problem.hint ? `${serverText(problem.hint)}.` : ''}`
                : t('instruments.noProcessesHint'), button(t('instruments.lookAgain'), reload))
            : h('ul', {}, processes.map((process) => h('li.line', {},
                h('span', {}, stored(process.name), ' ', h('span.dim', {}, String(process.pid))),
                h('span.grow'), button(t('instruments.record'), () => record(process.pid)))))));
    return { element, title: t('instruments.title'), crumbs: [[t('stores.title'), '/'], [t('instruments.title')]] };
}
