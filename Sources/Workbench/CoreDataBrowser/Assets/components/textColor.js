/** The colour of text that is read best on a colour that a person or a store chose. */

const luminance = (parts) => parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}).reduce((sum, share, i) => sum + share * [0.2126, 0.7152, 0.0722][i], 0);

/** Black or white, whichever stands out more from a colour such as `rgba(…)` on the page's paper. */
export function textColorOn(colour) {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
    const mixed = [red, green, blue].map((part) => part * alpha + (isDark ? 20 : 255) * (1 - alpha));
    return luminance(mixed) > 0.179 ? '#000' : '#fff';
}
