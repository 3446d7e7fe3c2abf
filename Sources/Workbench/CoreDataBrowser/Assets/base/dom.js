/** Makes elements. Texts from stores become text nodes only, so that no stored value is ever markup. */

/**
 * Makes an element. `props` are attributes; `on` has listeners, `data` data attributes, `is` properties, `vars` custom
 * properties.
 * @template {string} T
 * @param {T} tag a name, with classes after dots: `div.card.wide`
 * @param {Record<string, any>} [props]
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 * @returns {import('./types.js').Made<T>}
 */
export function h(tag, props = {}, ...children) {
    const [name, ...classes] = tag.split('.');
    const element = document.createElement(name || 'div');
    if (classes.length) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(props ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key === 'on') {
            for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
        } else if (key === 'data') Object.assign(element.dataset, value);
        else if (key === 'is') Object.assign(element, value);
        else if (key === 'vars') for (const [v, text] of Object.entries(value)) element.style.setProperty(v, text);
        else if (key === 'class') element.className += (element.className ? ' ' : '') + value;
        else element.setAttribute(key, value === true ? '' : String(value));
    }
    append(element, children);
    return /** @type {import('./types.js').Made<T>} */ (element);
}

/** Appends nodes and texts, leaving out what is null or false. */
export function append(parent, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        parent.append(child instanceof Node ? child : String(child));
    }
    return parent;
}

/** The element that has the focus. */
export const focusedElement = () => /** @type {import('./types.js').Control | null} */ (document.activeElement);

/** The first element below a place for a selector. @param {ParentNode} place @param {string} selector */
export const find = (place, selector) => /** @type {import('./types.js').Control | null} */
    (place.querySelector(selector));

/** All elements below a place for a selector. @param {ParentNode} place @param {string} selector */
export const findAll = (place, selector) => /** @type {import('./types.js').Control[]} */
    ([...place.querySelectorAll(selector)]);

/** Replaces what an element contains. */
export function fill(parent, ...children) {
    parent.replaceChildren();
    return append(parent, children);
}

/** A button with a text, and a listener for its click. */
export function button(text, listener, props = {}) {
    return h('button', { type: 'button', ...props, on: { click: listener, ...(props.on ?? {}) } }, text);
}

let counter = 0;
/** An identifier that no other element of the page has. */
export const uid = (prefix = 'x') => `${prefix}-${++counter}`;

/** Calls a function once after calls have stopped for some milliseconds. */
export function debounce(milliseconds, work) {
    let timer = 0;
    const later = (...args) => {
        clearTimeout(timer);
        timer = setTimeout(() => work(...args), milliseconds);
    };
    later.cancel = () => clearTimeout(timer);
    return later;
}

let isPressed = false;
addEventListener('pointerdown', () => { isPressed = true; }, { capture: true });
for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => { isPressed = false; }, { capture: true });
}

/**
 * Works at once, or, while a button of the pointer is held, after the click that it makes: what is pressed must not
 * move away.
 */
export function afterPress(work) {
    if (!isPressed) return void work();
    const end = new AbortController();
    const later = () => { end.abort(); setTimeout(work); };
    for (const event of ['pointerup', 'pointercancel']) {
        addEventListener(event, later, { capture: true, signal: end.signal });
    }
    return undefined;
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const invisible = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Shows control characters as symbols, and marks of direction by number, so that they hide nothing. */
export function visible(text) {
    return String(text)
        .replace(controls, (c) => (c === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + c.charCodeAt(0))))
        .replace(invisible, (c) => `⟦U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`);
}

/** A stored text, isolated from the direction of what surrounds it. */
export const stored = (text) => h('bdi', {}, visible(text));
