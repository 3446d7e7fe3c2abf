/**
 * Scans codes in pictures and by the camera. Frames are read by the browser where it can, else by the server, one
 * after the other.
 */
import { h, button } from '../../base/dom.js';
import { api, ApiError, root } from '../../base/api.js';
import { needStrings, t } from '../../base/i18n.js';
import { needStyle } from '../../base/download.js';
import { openDialog } from '../dialog.js';

/** Milliseconds between frames, and the longest side of one in pixels. */
const [pause, side] = [150, 1280];

/** The texts of the codes in a picture. @param {Blob} picture @param {AbortSignal} [signal] */
async function readPicture(picture, signal) {
    const type = /^image\//.test(picture.type) ? picture.type : 'image/unknown';
    const response = await fetch(`${root}/codes/reading`, { method: 'POST', body: picture, credentials: 'same-origin',
        headers: api.headers({ 'Content-Type': type }), signal });
    const reply = await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, reply);
    return reply.codes.map((code) => code.text).filter((text) => text !== null);
}

/**
 * Opens a dialog in which a code is scanned; gives its text, or null.
 * @param {boolean} startsCamera whether the camera is asked for at once
 */
export async function scan(startsCamera) {
    await Promise.all([needStrings('kinds'), needStyle('kinds')]);
    const ended = new AbortController();
    const video = /** @type {HTMLVideoElement} */ (h('video.scan', { hidden: true, 'aria-label': t('kinds.code.camera'),
        is: { muted: true, playsInline: true } }));
    const state = h('p.dim', { role: 'status' });
    const problem = h('p.fieldproblem', { role: 'alert' });
    const file = /** @type {HTMLInputElement} */ (h('input', { type: 'file', accept: 'image/*',
        'aria-label': t('kinds.code.scanPicture') }));
    const say = (text, place = problem) => {
        problem.textContent = '';
        state.textContent = '';
        place.textContent = text;
    };
    const take = async (picture, close) => {
        if (!picture) return;
        say(t('kinds.code.looking'), state);
        try {
            const texts = await readPicture(picture, ended.signal);
            if (texts.length) close(texts[0]);
            else say(t('kinds.code.none'));
        } catch (error) {
            if (error.name !== 'AbortError') say([error.message, error.hint].filter(Boolean).join('; '));
        }
    };
    const start = async (close) => {
        try {
            say(t('kinds.code.looking'), state);
            close(await fromCamera(video, ended.signal));
        } catch (error) {
            if (ended.signal.aborted) return;
            video.hidden = true;
            say(error.name === 'NotAllowedError' ? t('kinds.denied')
                : error instanceof ApiError ? [error.message, error.hint].filter(Boolean).join('; ')
                    : t('kinds.code.noCamera'));
        }
    };
    const result = await openDialog({ title: t('kinds.code.scan'), body: (close) => {
        file.addEventListener('change', () => take(file.files?.[0], close));
        const element = h('div', {}, video, state, problem, h('div.line', {}, file,
            button(t('kinds.code.scanCamera'), () => start(close), { class: 'small' })));
        element.addEventListener('dragover', (e) => e.preventDefault());
        element.addEventListener('drop', (e) => { e.preventDefault(); take(e.dataTransfer?.files[0], close); });
        element.addEventListener('paste', (e) => take(e.clipboardData?.files[0], close));
        if (startsCamera) start(close);
        return element;
    } });
    ended.abort();
    return result;
}

/** The text of the first code that the camera sees. */
async function fromCamera(video, signal) {
    if (!navigator.mediaDevices?.getUserMedia) throw new Error('no camera');
    const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment' } });
    const stop = () => stream.getTracks().forEach((track) => track.stop());
    signal.addEventListener('abort', stop);
    try {
        video.srcObject = stream;
        video.hidden = false;
        await video.play();
        const detector = await ownDetector();
        while (!signal.aborted) {
            const texts = detector ? (await detector.detect(video)).map((code) => code.rawValue)
                : await fromFrame(video, signal);
            if (texts.length) return texts[0];
            await new Promise((done) => setTimeout(done, pause));
        }
        return null;
    } finally {
        stop();
    }
}

/** What the server reads in a frame; one that it has no time for is left out. */
async function fromFrame(video, signal) {
    const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight, 1));
    const canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { width: Math.round(video.videoWidth * scale),
        height: Math.round(video.videoHeight * scale) }));
    if (!canvas.width) return [];
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const frame = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
    if (!frame) return [];
    try {
        return await readPicture(frame, signal);
    } catch (error) {
        if (error.status !== 503) throw error;
        return [];
    }
}

/** The browser's own reader where it has one that reads QR codes. */
async function ownDetector() {
    const Detector = /** @type {any} */ (globalThis).BarcodeDetector;
    try {
        const formats = await Detector.getSupportedFormats();
        return formats.includes('qr_code') && formats.includes('ean_13') ? new Detector() : null;
    } catch {
        return null;
    }
}
