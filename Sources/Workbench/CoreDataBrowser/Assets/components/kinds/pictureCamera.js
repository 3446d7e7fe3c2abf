/**
 * A photograph by the device's camera. Without a camera a file is chosen; where the camera is denied, that is said.
 * The page is a secure context on the loopback address too.
 */
import { h, button, fill } from '../../base/dom.js';
import { t } from '../../base/i18n.js';
import { openDialog } from '../dialog.js';
import { canvasOf, encoded } from './pictureCanvas.js';
import { edited } from './pictureCrop.js';

const wanted = { width: { ideal: 4096 }, height: { ideal: 2160 } };

/** Asks for a photograph. @returns {Promise<Blob | null>} a picture; null where it was given up */
export async function photograph() {
    let stream = null;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const body = h('div.camera');
    const dialog = openDialog({ title: t('kinds.picture.photograph'), wide: true, body: (close) => {
        const start = async (which) => {
            stop();
            try {
                stream = await navigator.mediaDevices.getUserMedia({ video: { ...wanted, ...which }, audio: false });
                await preview(body, stream, start, close);
            } catch (error) {
                refused(body, error, close);
            }
        };
        start({ facingMode: 'environment' });
        return body;
    } });
    const taken = await dialog;
    stop();
    if (!taken) return null;
    // A file is taken as it is, unless it is changed.
    return taken.file ?? edited(await encoded(taken.canvas), new Date());
}

/** What the camera sees, the cameras to choose from, and the button. */
async function preview(body, stream, start, close) {
    const video = h('video', { playsinline: true, muted: true, autoplay: true, is: { srcObject: stream, muted: true },
        'aria-label': t('kinds.picture.preview') });
    // The names of devices are known once one may be used.
    const devices = (await navigator.mediaDevices.enumerateDevices()).filter((d) => d.kind === 'videoinput');
    const current = stream.getVideoTracks()[0]?.getSettings().deviceId;
    const choice = devices.length > 1 && h('select', {
        'aria-label': t('kinds.picture.camera'), data: { field: 'camera' },
        on: { change: (e) => start({ deviceId: { exact: e.target.value } }) } },
        devices.map((device, index) => h('option', { value: device.deviceId, selected: device.deviceId === current },
            device.label || t('kinds.picture.cameraNumber', { number: index + 1 }))));
    const take = button(t('kinds.picture.take'),
        () => close({ canvas: canvasOf(video, video.videoWidth, video.videoHeight) }),
        { class: 'primary', disabled: true });
    video.addEventListener('loadeddata', () => { take.disabled = false; });
    fill(body, video, h('div.line', {}, take, choice));
    await video.play().catch(() => {});
}

/** Why there is no preview; without a camera a file is chosen instead. */
function refused(body, error, close) {
    const isDenied = error.name === 'NotAllowedError' || error.name === 'SecurityError';
    const file = !isDenied && h('input', { type: 'file', accept: 'image/*', 'aria-label': t('kinds.picture.choose'),
        data: { field: 'photograph' },
        on: { change: (e) => { if (e.target.files[0]) close({ file: e.target.files[0] }); } } });
    fill(body, h('p', { role: 'alert' }, t(isDenied ? 'kinds.denied' : 'kinds.picture.noCamera')), file);
    file?.focus?.();
}
