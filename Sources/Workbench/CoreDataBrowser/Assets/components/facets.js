/** How often values occur in a list; a click narrows the list to one. */
import { h, fill, button, stored, visible } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { shownDate } from '../base/format.js';
import { literal } from './filters.js';
import { loading, failure } from './states.js';

const counted = ['boolean', 'string', 'integer16', 'integer32', 'date', 'uuid', 'uri', 'decimal'];

/** How long the store may take for all rows of a facet before fewer are counted. */
const milliseconds = 2000;
/** How many facets are counted before more are asked for. */
const atOnce = 8;
/** @type {AbortController | null} */
let asked = null;

export async function showFacets(context) {
    const { store, entity, state, facets: place, signal } = context;
    const keys = [...entity.attributes.filter((a) => counted.includes(a.type) && !a.transient).map((a) => a.name),
        ...entity.relationships.filter((r) => !r.toMany && !r.transient).map((r) => r.name)];
    if (!keys.length) return void fill(place, h('p.dim', {}, t('facets.none')));
    // Each is asked for by itself: one that takes long or cannot be had keeps no other back.
    asked?.abort();
    const mine = asked = new AbortController();
    signal.addEventListener('abort', () => mine.abort(), { signal: mine.signal });
    fill(place);
    return count(context, keys, mine.signal);
}

/** Counts the values of the first keys, one after the other; the others wait for a button. */
async function count(context, keys, signal) {
    const { store, entity, state, facets: place } = context;
    const parts = keys.slice(0, atOnce).map((key) => [key, h('section', {}, h('h3', {}, key), loading())]);
    place.append(...parts.map(([, section]) => section));
    const rest = keys.slice(atOnce);
    const more = button(t('facets.more', { count: rest.length }),
        () => { more.remove(); count(context, rest, signal); });
    if (rest.length) place.append(more);
    for (const [key, section] of parts) {
        try {
            const reply = await api.get(address(['stores', store.id, 'entities', entity.name, 'facets'],
                { keys: key, where: state.where, search: state.search, milliseconds }), signal);
            section.replaceWith(...reply.facets.map((facet) => part(context, facet)));
        } catch (error) {
            if (signal.aborted) return;
            fill(section, h('h3', {}, key), failure(error, () => showFacets(context)));
        }
    }
}

function part(context, facet) {
    const { store, entity, state, change } = context;
    const model = store.property(entity.name, facet.key);
    const narrow = (value) => {
        const rule = `${facet.key} == ${literal(value, model?.type)}`;
        change({ where: state.where ? `(${state.where}) AND ${rule}` : rule, selected: '' });
    };
    const values = facet.values ?? [];
    const shown = (v) => (v.value === null ? h('span.nil', {}, 'nil')
        : v.value === '' ? h('span.nil', {}, t('value.empty')) : model?.type === 'date' ? shownDate(v.value)
        : model?.type === 'boolean' ? t(v.value ? 'value.yes' : 'value.no') : visible(v.text ?? v.value));
    const partly = !facet.complete && !facet.problem ? t('facets.ofFirst', { count: facet.counted ?? 0 })
        : facet.more ? t('facets.partly') : '';
    return h('section', {}, h('h3', {}, facet.key, partly && h('span.tag', {}, partly)),
        facet.problem ? h('p.problem', {}, stored(serverText(facet.problem)))
            : values.length === 0 ? h('p.dim', {}, t('facets.none'))
            : h('ul', {}, values.slice(0, 12).map((v) => h('li', {}, model?.kind === 'relationship' && v.value !== null
                ? h('span', {}, h('bdi', {}, visible(v.text ?? v.value)), ' ', h('span.count', {}, number(v.count)))
                : button('', () => narrow(v.value), { title: visible(v.text ?? v.value ?? '') }).appendChild(h('bdi',
                    {}, shown(v))).parentElement.appendChild(h('span.count', {}, number(v.count))).parentElement))));
}
