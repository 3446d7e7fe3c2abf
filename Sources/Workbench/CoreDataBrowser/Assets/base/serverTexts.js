/**
 * The server's texts, which are English, in the language in use: `serverTextTable.js` finds them where that is another
 * one.
 */

/** @type {((english: string) => string | undefined) | null} */
let translate = null;

/** Takes what finds a text in the language in use; null for English. @param {typeof translate} found */
export function translateServerTexts(found) { translate = found; }

/** A text of the server in the language in use; as it is where there is none. @param {string} english */
export const serverText = (english) => translate?.(english) ?? english;

/**
 * What the server says of a broken rule, in the language in use.
 * @template {{text?: string, cure?: string}} Problem @param {Problem} problem @returns {Problem}
 */
export const serverProblem = (problem) => ({ ...problem, text: serverText(problem.text ?? ''),
    cure: problem.cure && serverText(problem.cure) });

/**
 * The language of a text as `serverText` gives it, for the attribute `lang`; null for that of the page.
 * @param {string} english
 */
export const serverTextLanguage = (english) => (translate && translate(english) === undefined ? 'en' : null);
