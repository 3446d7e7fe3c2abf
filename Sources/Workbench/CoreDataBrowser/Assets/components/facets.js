/** How often values occur in a list; a click narrows the list to one. */
import { h, fill, button, stored, visible } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { dateText } from '../base/format.js';
import { literal } from './filters.js';
import { loading, failure } from './states.js';

const counted = ['boolean', 'string', 'integer16', 'integer32', 'date', 'uuid', 'uri', 'decimal'];

/** How long the store may take for all rows of a facet before fewer are counted. */
const milliseconds = 2000;
/** @type {AbortController | null} */
let asked = null;

export async function showFacets(context) {
    const { store, entity, state, facets: place, signal } = context;
    const keys = [...entity.attributes.filter((a) => counted.includes(a.type) && !a.transient).map((a) => a.name), ...entity.relationships.filter((r) => !r.toMany && !r.transient).map((r) => r.name)].slice(0, 8);
    if (!keys.length) return void fill(place, h('p.dim', {}, t('facets.none')));
    // Each is asked for by itself: one that takes long or cannot be had keeps no other back.
    asked?.abort();
    const mine = asked = new AbortController();
    signal.addEventListener('abort', () => mine.abort(), { signal: mine.signal });
    const parts = keys.map((key) => [key, h('section', {}, h('h3', {}, key), loading())]);
    fill(place, parts.map(([, section]) => section));
    for (const [key, section] of parts) {
        try {
            const told = await api.get(address(['stores', store.id, 'entities', entity.name, 'facets'], { keys: key, where: state.where, search: state.search, milliseconds }), mine.signal);
            section.replaceWith(...told.facets.map((facet) => part(context, facet)));
        } catch (error) {
            if (mine.signal.aborted) return undefined;
            fill(section, h('h3', {}, key), failure(error, () => showFacets(context)));
        }
    }
    return undefined;
}

function part(context, facet) {
    const { store, entity, state, change } = context;
    const model = store.property(entity.name, facet.key);
    const narrow = (value) => {
        const rule = `${facet.key} == ${literal(value, model?.type)}`;
        change({ where: state.where ? `(${state.where}) AND ${rule}` : rule, selected: '' });
    };
    const values = facet.values ?? [];
    const shown = (v) => (v.value === null ? h('span.nil', {}, 'nil') : v.value === '' ? h('span.nil', {}, t('value.empty')) : model?.type === 'date' ? dateText(v.value) : visible(v.text ?? v.value));
    const partly = !facet.complete && !facet.problem ? t('facets.ofFirst', { count: facet.counted ?? 0 }) : facet.more ? t('facets.partly') : '';
    return h('section', {}, h('h3', {}, facet.key, partly && h('span.tag', {}, partly)),
        facet.problem ? h('p.problem', {}, stored(serverText(facet.problem))) : values.length === 0 ? h('p.dim', {}, t('facets.none')) : h('ul', {}, values.slice(0, 12).map((v) => h('li', {}, model?.kind === 'relationship' && v.value !== null
            ? h('span', {}, h('bdi', {}, visible(v.text ?? v.value)), ' ', h('span.count', {}, number(v.count)))
            : button('', () => narrow(v.value), { title: visible(v.text ?? v.value ?? '') }).appendChild(h('bdi', {}, shown(v))).parentElement.appendChild(h('span.count', {}, number(v.count))).parentElement))));
}
