/** Small pictures in cells of lists, asked a few at a time and kept while they are among the last. */
import { h } from '../base/dom.js';
import { api } from '../base/api.js';
import { bytesText } from '../base/format.js';

const greatest = 4_000_000;
const [most, together] = [200, 4];
/** Addresses of pictures that are there, by the path of their values. */
const kept = new Map();
const waiting = [];
let running = 0;

/** Whether a value of a list is a picture that is shown small. */
export const isThumbnail = (value) => typeof value?.type === 'string' && value.type.startsWith('image/')
    && value.bytes <= greatest;

/** A picture with its size for who cannot see it. */
export function thumbnail(path, value) {
    const picture = h('img.thumbnail', { alt: bytesText(value.bytes), title: bytesText(value.bytes) });
    const name = `${path} ${value.bytes}`;
    if (kept.has(name)) picture.src = kept.get(name);
    else {
        waiting.push({ picture, path, name, type: value.type });
        next();
    }
    return picture;
}

function next() {
    while (running < together && waiting.length) {
        // What came last is in view; what is not in the page any more is left.
        const { picture, path, name, type } = waiting.pop();
        running += 1;
        load(picture, path, name, type).catch(() => {}).finally(() => { running -= 1; next(); });
    }
}

async function load(picture, path, name, type) {
    await new Promise(requestAnimationFrame);
    if (!picture.isConnected) return;
    const { bytes } = await api.bytes(path);
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    kept.set(name, url);
    if (kept.size > most) {
        const [oldest, address] = kept.entries().next().value;
        kept.delete(oldest);
        URL.revokeObjectURL(address);
    }
    picture.src = url;
}
