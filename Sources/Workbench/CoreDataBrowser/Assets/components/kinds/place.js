/** A place: where it is on a small map, and the position of the device that shows the page. */
import { h, button } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { needStyle } from '../../base/download.js';
import { MapBase } from '../mapBase.js';
import { MapView } from '../mapView.js';
import { act } from '../editBar.js';

/** Degrees that a small map is wide. */
const width = 40;

/** @param {any} context @param {import('./kindNode.js').KindUse} use @param {boolean} isEdited */
export async function view(context, use, isEdited) {
    await needStyle('map');
    const place = use.reading?.place;
    return [place && smallMap(place), isEdited && navigator.geolocation && here(context, use)];
}

/** @param {number[]} place */
function smallMap([latitude, longitude]) {
    const [view, base] = [new MapView(), new MapBase()];
    view.show([longitude - width / 2, latitude - width / 4, longitude + width / 2, latitude + width / 4]);
    base.draw(view);
    return h('div.map.smallmap', { dir: 'ltr', role: 'img', 'aria-label': t('kinds.placeOnMap') }, base.element,
        h('i.mappoint', { vars: view.place(longitude, latitude) }));
}

/** Fills the attributes with the position of the device; the browser asks the person first. */
function here(context, use) {
    const problem = h('span.fieldproblem', { role: 'alert' });
    const take = () => new Promise((done) => {
        problem.textContent = '';
        navigator.geolocation.getCurrentPosition((position) => {
            act(() => stage(context, use, position.coords)).then(done);
        }, (error) => {
            problem.textContent = t(error.code === error.PERMISSION_DENIED ? 'kinds.denied' : 'kinds.noPosition');
            done(null);
        }, { enableHighAccuracy: true, timeout: 30_000, maximumAge: 60_000 });
    });
    return h('div.line', {}, button(t('kinds.here'), take, { class: 'small' }), problem);
}

function stage({ edits, id, entity, reply }, use, { latitude, longitude }) {
    const set = (key, value) => ({ do: 'set', object: id, key, value });
    const name = t('edits.setName', { name: use.key });
    const second = use.others.longitude;
    if (!second) return edits.stage(name, [set(use.key, `${latitude}, ${longitude}`)]);
    const [owner, first] = use.key.split('.');
    if (first) {
        const value = reply.attributes.find((a) => a.name === owner)?.value ?? {};
        return edits.stage(name, [set(owner, { ...value, [first]: latitude, [second.split('.')[1]]: longitude })]);
    }
    const typed = (key, value) => {
        const { type } = entity.attributes.find((a) => a.name === key) ?? {};
        return type === 'decimal' ? String(value) : type?.startsWith('integer') ? Math.round(value) : value;
    };
    return edits.stage(name, [set(use.key, typed(use.key, latitude)), set(second, typed(second, longitude))]);
}
