/**
 * What a value says by its kind, in lists and beside fields: a text with a link, a colour, a number as the region
 * writes it. The server reads the value; see `KindReading`.
 */
import { h, stored } from '../../base/dom.js';
import { formats } from '../../base/i18n.js';
import { colorOf, shownNumber } from '../../base/format.js';
import { serverText } from '../../base/serverTexts.js';

/**
 * @typedef {{text: string, entry?: string, link?: string, color?: number[], number?: string, style?: string,
 *     place?: number[], problem?: string}} Reading
 * @typedef {{kind: string, key: string, origin: string, others: Record<string, string>,
 *     parameters: Record<string, string>, reading?: Reading}} KindUse
 */

/** The schemes that are opened; the server sends no others, and none is trusted here. */
const opened = /^(https?|mailto|tel):/i;

/** @param {Reading} reading @param {Record<string, any>} [props] of the link */
export function kindNode(reading, props = {}) {
    if (reading.problem) {
        return h('span', { title: serverText(reading.problem) }, stored(reading.text),
            h('span.tag.problem', { role: 'img', 'aria-label': serverText(reading.problem) }, '!'));
    }
    const text = reading.number === undefined || !formats ? stored(reading.text)
        : h('bdi', {}, shownNumber(reading.number, reading.style));
    if (reading.color) {
        return h('span.colour', {}, h('i.swatch', { vars: { '--swatch': colorOf(reading.color) } }), text);
    }
    if (!reading.link || !opened.test(reading.link)) return h('span', {}, text);
    const isPage = /^http/i.test(reading.link);
    return h('a', { ...props, href: reading.link, target: isPage ? '_blank' : null,
        rel: isPage ? 'noopener noreferrer' : null }, text);
}
