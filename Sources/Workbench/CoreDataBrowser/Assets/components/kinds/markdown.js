/**
 * A text in Markdown as its parts, which the server has found: no HTML is read here, and pictures of the web are not
 * fetched.
 */
import { h, stored } from '../../base/dom.js';

const simple = { paragraph: 'p', quote: 'blockquote', emphasis: 'em', strong: 'strong', deleted: 's', code: 'code',
    table: 'table', row: 'tr' };

/** @param {any} context @param {import('./kindNode.js').KindUse & {content?: any[]}} use */
export function view(context, use) {
    return use.content?.length ? h('div.kindview.markdown', { dir: 'auto' }, use.content.map(node)) : null;
}

/** A part with the parts in it. */
function node(part) {
    if (typeof part === 'string') return stored(part);
    const inner = () => (part.in ?? []).map(node);
    if (simple[part.part]) return h(simple[part.part], {}, inner());
    switch (part.part) {
    case 'break': return h('br');
    case 'rule': return h('hr');
    // The headings of the page stand above.
    case 'heading': return h(`h${Math.min(part.level + 2, 6)}`, {}, inner());
    case 'list': return part.start === null ? h('ul', {}, inner()) : h('ol', { start: part.start }, inner());
    case 'item': return h('li', {}, part.done !== null && h('span', { 'aria-hidden': 'true' }, part.done ? '☑ ' : '☐ '),
        inner());
    case 'codeBlock': return h('pre', { tabindex: '0', dir: 'ltr' }, h('code', {}, inner()));
    case 'cell': return h(part.head ? 'th' : 'td', {}, inner());
    case 'image': return part.link ? reference(part, ['🖼 ', ...inner()]) : h('span', {}, '🖼 ', inner());
    case 'link': return part.link ? reference(part, inner()) : h('span', {}, inner());
    default: return h('span', {}, inner());
    }
}

const reference = (part, content) => h('a', { href: part.link, target: '_blank', rel: 'noopener noreferrer',
    title: part.title || null }, content);
