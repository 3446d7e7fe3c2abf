/** A text of JSON as a tree that opens level by level. */
import { h } from '../../base/dom.js';
import { treeOf } from '../bigValue.js';

const longest = 1_000_000;

/** @param {any} context @param {import('./kindNode.js').KindUse} use */
export function view(context, use) {
    const value = context.reply.attributes.find((a) => a.name === use.key)?.value;
    if (typeof value !== 'string' || use.reading?.problem || value.length > longest) return null;
    return h('div.kindview', {}, treeOf(JSON.parse(value)));
}
