/** A sound or a film: played from ranges of the stored bytes, with its outline or a poster; recorded and trimmed. */
import { h, button } from '../../base/dom.js';
import { api, root } from '../../base/api.js';
import { needStrings, number, t } from '../../base/i18n.js';
import { base64 } from '../../base/base64.js';
import { act } from '../editBar.js';
import { ask } from '../dialog.js';

/** Parts of an outline. */
const parts = 300;

/** @param {any} context @param {import('./kindNode.js').KindUse} use @param {boolean} isEdited */
export async function view(context, use, isEdited) {
    await needStrings('recordings');
    const attribute = context.reply.attributes.find((a) => a.name === use.key);
    const path = `${context.path}/values/${encodeURIComponent(use.key)}`;
    const isNil = !attribute?.bytes;
    const place = h('div');
    const said = h('p.dim');
    const problem = h('p.fieldproblem', { role: 'alert' });
    const isFilm = use.kind === 'film';
    const element = h('div.kindview.media', {}, place, said, problem);
    if (isEdited) element.append(recordingRow(context, use, !isNil));
    const say = (error) => { problem.textContent = [error.message, error.hint].filter(Boolean).join('; '); };
    if (!isNil && !use.reading?.problem) {
        // What can be done is there at once; the player, the outline and the poster follow.
        addPlayer(path, isFilm, place, use, problem).then(async (player) => {
            // Without their tool the player works all the same.
            const media = await show(path, isFilm, player, place, said);
            if (isEdited) element.append(trimRow(context, use, path, media));
        }).catch(say);
    }
    return element;
}

async function addPlayer(path, isFilm, place, use, problem) {
    const { address } = await api.post(`${path}/address`);
    const player = /** @type {HTMLMediaElement} */ (h(isFilm ? 'video' : 'audio', { controls: true,
        preload: 'metadata', src: root + address, class: 'player', 'aria-label': use.key }));
    player.addEventListener('error', () => convert(player, path, problem), { once: true });
    place.append(player);
    return player;
}

/** Plays what the browser refuses in another form, which the server makes. */
async function convert(player, path, problem) {
    const refuse = (reason) => {
        problem.textContent = [t('recordings.notPlayed'), reason].filter(Boolean).join(' ');
    };
    problem.textContent = t('recordings.converting');
    try {
        const url = blobAddress(await api.blob(`${path}/playable`), player);
        player.addEventListener('loadedmetadata', () => { problem.textContent = ''; }, { once: true });
        player.addEventListener('error', () => refuse(''), { once: true });
        player.src = url;
    } catch (error) {
        refuse([error.message, error.hint].filter(Boolean).join('; '));
    }
}

/** Addresses of bytes in the page, with the players that they are for. */
const addresses = new Map();

/** An address of bytes for a player; those whose players have left the page are given up. */
function blobAddress(blob, player) {
    for (const [address, user] of addresses) {
        if (user.isConnected) continue;
        URL.revokeObjectURL(address);
        addresses.delete(address);
    }
    const made = URL.createObjectURL(blob);
    addresses.set(made, player);
    return made;
}

async function show(path, isFilm, player, place, said) {
    const media = await api.get(`${path}/media?peaks=${isFilm ? 0 : parts}`);
    said.textContent = [t('recordings.seconds', { count: number(Math.round(media.duration * 10) / 10) }),
        media.film && `${media.width} × ${media.height}`].filter(Boolean).join(' · ');
    if (media.peaks.length) place.append(outline(media.peaks, player, media.duration));
    if (media.film && isFilm) {
        const poster = await api.blob(`${path}/poster?time=${Math.min(1, media.duration / 2)}`);
        /** @type {HTMLVideoElement} */ (player).poster = blobAddress(poster, player);
    }
    return media;
}

/** The outline of a sound, in which a click goes to a place. */
function outline(peaks, player, duration) {
    const make = (tag, props) => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
        for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
        return element;
    };
    const shape = make('svg', { viewBox: `0 0 ${peaks.length} 100`, preserveAspectRatio: 'none', class: 'waveform',
        role: 'img', 'aria-label': t('recordings.outline') });
    const bars = peaks.map((peak, at) => `M${at} ${50 - peak * 50}h1v${Math.max(peak * 100, 1)}h-1z`).join('');
    shape.append(make('path', { d: bars }));
    shape.addEventListener('click', (e) => {
        const box = shape.getBoundingClientRect();
        player.currentTime = ((e.clientX - box.left) / box.width) * duration;
    });
    return h('div', { dir: 'ltr' }, shape);
}

/** Records instead of what is stored, after a question. */
function recordingRow(context, use, isStored) {
    if (!navigator.mediaDevices?.getUserMedia || !globalThis.MediaRecorder) {
        return h('p.dim', {}, t('recordings.noDevice'));
    }
    return h('div.line', {}, button(t('recordings.record'), () => act(async () => {
        if (isStored && !await ask({ title: t('recordings.record'), text: t('recordings.replaces', { name: use.key }),
            action: t('recordings.replace'), danger: true })) return;
        const { record } = await import('./recorder.js');
        const value = await record(use.kind === 'film');
        if (value !== null) await stage(context, use, value);
    }), { class: 'small', 'aria-haspopup': 'dialog' }));
}

/** Keeps a part of what is stored. */
function trimRow(context, use, path, media) {
    const field = (name, value) => h('input.narrow', { type: 'number', min: 0, max: media.duration, step: 'any',
        'aria-label': t(name), title: t(name), is: { value: String(Math.round(value * 10) / 10) } });
    const [from, to] = [field('recordings.from', 0), field('recordings.to', media.duration)];
    const row = h('div.line', {}, from, ' – ', to);
    row.append(button(t('recordings.trim'), () => act(async () => {
        const { bytes, type } = await api.range(path);
        const { converted, formOf } = await import('./recorder.js');
        const form = formOf(type.split(';')[0], use.kind === 'film');
        const blob = await converted(new Blob([bytes], { type: use.kind === 'film' ? 'video/webm' : 'audio/wav' }),
            { form, from: from.value, to: to.value });
        await stage(context, use, await base64(blob));
    }), { class: 'small' }));
    return row;
}

function stage({ edits, id }, use, value) {
    return edits.stage(t('edits.setName', { name: use.key }), [{ do: 'set', object: id, key: use.key, value }]);
}
