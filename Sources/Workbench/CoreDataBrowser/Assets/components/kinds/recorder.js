/** Records a sound or a film with the browser's devices; the server gives it a duration, or makes WAV of it. */
import { h, button } from '../../base/dom.js';
import { api, ApiError, address, root } from '../../base/api.js';
import { number, t } from '../../base/i18n.js';
import { base64 } from '../../base/base64.js';
import { openDialog } from '../dialog.js';

/** The bytes that one value may have when it is staged, and the longest recording in seconds. */
const [greatest, longest] = [45_000_000, 600];
/** Bits in a second of a film. */
const qualities = { low: 250_000, middle: 1_000_000, high: 2_500_000 };
/** Seconds of WAV that one value holds. */
const longestWave = 240;

/** A recording in another form, or with a duration. @param {Blob} blob @param {Record<string, any>} options */
export async function converted(blob, options) {
    const response = await fetch(root + address(['recordings'], options), { method: 'POST', body: blob,
        credentials: 'same-origin', headers: api.headers({ 'Content-Type': blob.type.split(';')[0] }) });
    if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
    const made = await response.blob();
    if (made.size > greatest) throw new Error(t('recordings.tooLarge'));
    return made;
}

/** The form in which a part of a type is written. */
export function formOf(type, isFilm) {
    if (isFilm) return type === 'video/mp4' ? 'mp4' : 'webm';
    return { 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/vnd.wave': 'wav', 'audio/mpeg': 'mp3',
        'audio/flac': 'flac', 'audio/mp4': 'm4a' }[type] ?? 'ogg';
}

/** Opens a dialog that records; gives the bytes in base 64, or null. @param {boolean} isFilm */
export async function record(isFilm) {
    const ended = new AbortController();
    const session = new Session(isFilm, ended.signal);
    const result = await openDialog({ title: t('recordings.record'), body: (close) => session.draw(close) });
    ended.abort();
    return result;
}

class Session {
    constructor(isFilm, signal) {
        this.isFilm = isFilm;
        this.parts = [];
        this.size = 0;
        this.state = h('p', { role: 'status' });
        this.problem = h('p.fieldproblem', { role: 'alert' });
        this.seconds = /** @type {HTMLInputElement} */ (h('input.narrow', { type: 'number', min: 1, max: longest,
            'aria-label': t('recordings.longest'), is: { value: '10' } }));
        this.quality = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': t('recordings.quality') },
            Object.keys(qualities).map((name) => h('option', { value: name, selected: name === 'middle' },
                t(`recordings.quality.${name}`)))));
        this.video = /** @type {HTMLVideoElement} */ (h('video.scan', { hidden: true,
            is: { muted: true, playsInline: true } }));
        signal.addEventListener('abort', () => this.end());
        this.signal = signal;
    }

    draw(close) {
        this.close = close;
        this.start = button(t('recordings.start'), () => this.begin(), { class: 'primary' });
        this.hold = button(t('recordings.pause'), () => this.pause(), { disabled: true });
        this.stop = button(t('recordings.stop'), () => this.recorder?.stop(), { disabled: true });
        return h('div', {}, this.video, h('div.line', {}, h('label', {}, `${t('recordings.longest')} `, this.seconds),
            this.isFilm && h('label', {}, `${t('recordings.quality')} `, this.quality)),
        h('div.line', {}, this.start, this.hold, this.stop), this.state, this.problem);
    }

    async begin() {
        this.problem.textContent = '';
        this.limit = Math.min(Math.max(Number(this.seconds.value) || 10, 1), longest);
        try {
            this.stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: this.isFilm });
        } catch (error) {
            this.problem.textContent = t(error.name === 'NotAllowedError' ? 'kinds.denied' : 'recordings.noDevice');
            return;
        }
        if (this.signal.aborted) return void this.end();
        if (this.isFilm) {
            this.video.srcObject = this.stream;
            this.video.hidden = false;
            this.video.play().catch(() => {});
        }
        const type = this.isFilm ? 'video/webm' : 'audio/webm';
        this.recorder = new MediaRecorder(this.stream, { mimeType: type,
            ...(this.isFilm ? { videoBitsPerSecond: qualities[this.quality.value] } : {}) });
        this.recorder.addEventListener('dataavailable', (e) => this.take(e.data));
        this.recorder.addEventListener('stop', () => this.finish(type));
        this.recorder.start(200);
        this.elapsed = 0;
        this.since = performance.now();
        this.timer = setInterval(() => this.tick(), 100);
        for (const control of [this.start, this.seconds, this.quality]) control.disabled = true;
        for (const control of [this.hold, this.stop]) control.disabled = false;
        this.tick();
    }

    take(part) {
        this.parts.push(part);
        this.size += part.size;
        if (this.size > greatest - 200_000 && this.recorder.state !== 'inactive') this.recorder.stop();
    }

    /** A paused recording goes on in the same file. */
    pause() {
        const isPaused = this.recorder.state === 'paused';
        if (isPaused) {
            this.since = performance.now();
            this.recorder.resume();
        } else {
            this.elapsed += performance.now() - this.since;
            this.recorder.pause();
        }
        this.hold.textContent = t(isPaused ? 'recordings.pause' : 'recordings.continue');
    }

    tick() {
        const running = this.recorder.state === 'recording' ? performance.now() - this.since : 0;
        const seconds = (this.elapsed + running) / 1000;
        this.state.textContent = t('recordings.seconds', { count: number(Math.floor(seconds)) });
        if (seconds >= this.limit && this.recorder.state !== 'inactive') this.recorder.stop();
    }

    async finish(type) {
        this.end();
        if (this.signal.aborted) return;
        this.state.textContent = t('recordings.storing');
        try {
            const blob = new Blob(this.parts, { type });
            // A recorder gives its last part late: what is beyond the limit is cut.
            const form = this.isFilm ? null : this.limit <= longestWave ? 'wav' : 'ogg';
            const made = await converted(blob, form ? { form, longest: this.limit } : {});
            this.close(await base64(made));
        } catch (error) {
            this.state.textContent = '';
            this.problem.textContent = [error.message, error.hint].filter(Boolean).join('; ');
        }
    }

    end() {
        clearInterval(this.timer);
        if (this.recorder && this.recorder.state !== 'inactive') this.recorder.stop();
        this.stream?.getTracks().forEach((track) => track.stop());
    }
}
