/** Drawing pictures: parts, sizes, and the band with the day. */

/** A canvas with a part of a picture in a size. @param {CanvasImageSource} picture */
export function canvasOf(picture, width, height, part = null) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width));
    canvas.height = Math.max(1, Math.round(height));
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    if (part) {
        context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height);
    } else context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
}

/** A size of the same shape whose longer side is no longer than `side`; never larger. */
export function scaled(width, height, side) {
    const factor = Math.min(1, side / Math.max(width, height, 1));
    return [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
}

/** The points of the band, and the width in points at which a picture is seen: the band grows with larger ones. */
const [bandPoints, shownPoints] = [20, 640];

/** The height in pixels of the band with the day in a picture. */
const bandHeight = (width) => Math.max(bandPoints, Math.round((bandPoints * width) / shownPoints));

/** Writes a text into a half-transparent band at the top; the rest of the picture stays. */
export function stamp(canvas, text) {
    const context = canvas.getContext('2d');
    const band = Math.min(bandHeight(canvas.width), canvas.height);
    context.save();
    context.beginPath();
    context.rect(0, 0, canvas.width, band);
    context.clip();
    context.fillStyle = 'rgba(0, 0, 0, 0.5)';
    context.fillRect(0, 0, canvas.width, band);
    context.fillStyle = '#fff';
    context.font = `${Math.round(band * 0.7)}px sans-serif`;
    context.textBaseline = 'middle';
    context.fillText(text, band / 4, band / 2, canvas.width - band / 2);
    context.restore();
    return canvas;
}

/** The bytes of a canvas. @returns {Promise<Blob>} */
export function encoded(canvas, type = 'image/jpeg') {
    return new Promise((done, fail) => canvas.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error('the canvas is too large'))), type, 0.92));
}
