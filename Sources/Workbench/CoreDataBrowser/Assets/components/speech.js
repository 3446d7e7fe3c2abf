/** Reads texts aloud: by the browser's own voices where it has some, else by the server's. */
import { api, ApiError, root } from '../base/api.js';
import { language } from '../base/i18n.js';

/** @type {HTMLAudioElement | null} */
let playing = null;

/** Whether there is a voice, of the browser or of the server. */
export async function canSpeak() {
    if (globalThis.speechSynthesis?.getVoices().length) return true;
    return (await api.get('/speech')).languages.length > 0;
}

/** Speaks a text; what is spoken already ends. @param {string} text */
export async function speak(text) {
    playing?.pause();
    const synthesis = globalThis.speechSynthesis;
    if (synthesis?.getVoices().length) {
        synthesis.cancel();
        const utterance = new SpeechSynthesisUtterance(text);
        utterance.lang = language();
        return synthesis.speak(utterance);
    }
    const response = await fetch(`${root}/speech`, { method: 'POST', credentials: 'same-origin',
        headers: api.headers({ 'Content-Type': 'application/json' }),
        body: JSON.stringify({ text, language: language() }) });
    if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
    const address = URL.createObjectURL(await response.blob());
    playing = new Audio(address);
    playing.addEventListener('ended', () => URL.revokeObjectURL(address));
    return playing.play();
}
