/**
 * Types of the front end that no value carries. Nothing imports this file when the page runs, so that it costs no view
 * anything.
 */

/**
 * The element that a name with classes makes: `input.wide` an `HTMLInputElement`.
 * @template {string} T
 * @typedef {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : T extends `${infer Name}.${string}` ?
 *     Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement : HTMLElement} Made
 */

/**
 * @typedef {HTMLElement & Partial<Pick<HTMLInputElement, 'disabled' | 'selectionStart' | 'selectionEnd' |
 *     'setSelectionRange'>>} Control an element of HTML, of which some are fields or buttons
 */

/** @typedef {{params: Record<string, string>, query: URLSearchParams, signal: AbortSignal}} Visit */

/** @typedef {import('./store.js').StoreInfo} StoreInfo */
/** @typedef {import('./store.js').Entity} Entity */
/**
 * A list of an entity's objects: what its parts share.
 * @typedef {{store: StoreInfo, entity: Entity, state: Record<string, string>, signal: AbortSignal, view: any,
 *     change: (changes: Record<string, string>, how?: {replace?: boolean}) => void, [member: string]: any}} ListContext
 */

/**
 * What views are shown in: the frame, the element of what failed, and the module of a view's name.
 * @typedef {object} Frame
 * @property {{show: (element: HTMLElement, view?: Record<string, any>) => void, busy: (on: boolean) => void,
 *     announce: (text: string) => void}} shell
 * @property {(error: {message: string, [member: string]: any}, retry?: () => void) => HTMLElement} failure
 * @property {(name: string) => Promise<{render: (visit: Visit) => any}>} load
 */

/**
 * What keys are for: the palette, the help, and the edits of the store that is shown.
 * @typedef {object} Doers
 * @property {() => void} openPalette
 * @property {() => void} openHelp
 * @property {() => StoreInfo | null} editedStore
 * @property {() => StoreInfo | null} shownStore
 * @property {(work: () => Promise<any>) => Promise<any>} act
 * @property {(store: StoreInfo) => Promise<boolean>} save
 * @property {(store: StoreInfo) => void} explainUndo
 */

/**
 * What the frame opens, and what it shows at the side.
 * @typedef {object} Openers
 * @property {() => void} openPalette
 * @property {() => void} openPreferences
 * @property {(problem: any) => void} showFileProblem
 * @property {(parts: Record<string, HTMLElement>, store: StoreInfo) => void} showSide
 */

export {};
