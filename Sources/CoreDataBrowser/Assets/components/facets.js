/** How often values occur in a list; a click narrows the list to one. */
import { h, fill, button, visible } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t, number } from '../base/i18n.js';
import { dateText } from '../base/format.js';
import { literal } from './filters.js';
import { loading, failure } from './states.js';

const counted = ['boolean', 'string', 'integer16', 'integer32', 'date', 'uuid', 'uri', 'decimal'];

export async function showFacets(context) {
    const { store, entity, state, facets: place, signal } = context;
    const keys = [...entity.attributes.filter((a) => counted.includes(a.type) && !a.transient).map((a) => a.name), ...entity.relationships.filter((r) => !r.toMany).map((r) => r.name)].slice(0, 8);
    if (!keys.length) return void fill(place, h('p.dim', {}, t('facets.none')));
    fill(place, loading());
    try {
        const told = await api.get(address(['stores', store.id, 'entities', entity.name, 'facets'], { keys: keys.join(','), where: state.where, search: state.search }), signal);
        fill(place, told.facets.map((facet) => part(context, facet)));
    } catch (error) {
        if (error.name !== 'AbortError') fill(place, failure(error, () => showFacets(context)));
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
    const shown = (v) => (v.value === null ? 'nil' : model?.type === 'date' ? dateText(v.value) : visible(v.text ?? v.value));
    return h('section', {}, h('h3', {}, facet.key, (!facet.complete || facet.more) && h('span.tag', {}, t('facets.partly'))),
        values.length === 0 ? h('p.dim', {}, t('facets.none')) : h('ul', {}, values.slice(0, 12).map((v) => h('li', {}, model?.kind === 'relationship' && v.value !== null
            ? h('span', {}, h('bdi', {}, visible(v.text ?? v.value)), ' ', h('span.count', {}, number(v.count)))
            : button('', () => narrow(v.value), {}).appendChild(h('bdi', {}, shown(v))).parentElement.appendChild(h('span.count', {}, number(v.count))).parentElement))));
}
