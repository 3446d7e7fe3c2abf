/** Small pictures in cells of lists, asked a few at a time and kept while they are among the last. */
import { h } from '../base/dom.js';
import { api } from '../base/api.js';
import { bytesText } from '../base/format.js';

const greatest = 4_000_000;
const [most, together] = [200, 4];
/** What browsers show themselves, where the server has no program for it. */
const shown = /^image\/(png|jpeg|gif|webp|avif)$/;
/** Addresses of pictures that are there, by the path of their values. */
const kept = new Map();
const waiting = [];
let running = 0;
/** Whether the server makes thumbnails, as far as it is known. */
let isMaking = true;

/**
 * A picture with its size for who cannot see it; a grey tile with the reason where it cannot be shown.
 * @param {string} path @param {{bytes: number, type: string}} value
 * @param {string} [small] what follows the path where the server makes a thumbnail
 */
export function thumbnail(path, value, small = '') {
    const picture = h('img.thumbnail', { alt: bytesText(value.bytes), title: bytesText(value.bytes) });
    const name = `${path} ${value.bytes}`;
    if (kept.has(name)) picture.src = kept.get(name);
    else {
        waiting.push({ picture, path, name, value, small });
        next();
    }
    return picture;
}

function next() {
    while (running < together && waiting.length) {
        // What came last is in view; what is not in the page any more is left.
        const wanted = waiting.pop();
        running += 1;
        load(wanted).catch((error) => {
            wanted.picture.replaceWith(h('span.thumbnail.tile', { role: 'img', title: error.message,
                'aria-label': error.message }, '?'));
        }).finally(() => { running -= 1; next(); });
    }
}

async function load({ picture, path, name, value, small }) {
    await new Promise(requestAnimationFrame);
    if (!picture.isConnected) return;
    const url = URL.createObjectURL(await read(path, value, small));
    kept.set(name, url);
    if (kept.size > most) {
        const [oldest, address] = kept.entries().next().value;
        kept.delete(oldest);
        URL.revokeObjectURL(address);
    }
    picture.src = url;
}

/** The thumbnail; without a program that makes it, the picture itself if browsers show it. */
async function read(path, value, small) {
    if (small && isMaking) {
        try {
            const { bytes, type } = await api.bytes(path + small);
            return new Blob([bytes], { type });
        } catch (error) {
            if (error.status !== 501 || !shown.test(value.type) || value.bytes > greatest) throw error;
            isMaking = false;
        }
    }
    return new Blob([(await api.bytes(path)).bytes], { type: value.type });
}
