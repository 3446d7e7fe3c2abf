/** The texts of Swift sources: what literals of calls say, with `{}` for what is filled in. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder and of those within it that end in `.swift`. */
export function swiftFiles(folder) {
    if (statSync(folder).isFile()) return [folder];
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
        .filter((name) => name.endsWith('.swift')).sort();
}

/**
 * Reads a literal that begins at a quote.
 * @returns {{ text: string, end: number, inner: string[] }} the text, the place behind the literal, and the sources of
 *     what is filled in
 */
function literal(source, start) {
    const long = source.startsWith('"""', start);
    const [quote, inner] = [long ? '"""' : '"', []];
    let text = '';
    let at = start + quote.length;
    while (at < source.length && !source.startsWith(quote, at)) {
        if (source[at] !== '\\') text += source[at++];
        else if (source[at + 1] === '(') {
            const end = closing(source, at + 1);
            inner.push(source.slice(at + 2, end));
            text += '{}';
            at = end + 1;
        } else {
            const escaped = { n: '\n', t: '\t', 0: '\0', '\n': '' }[source[at + 1]];
            text += escaped ?? source[at + 1];
            at += 2;
            if (escaped === '') while (source[at] === ' ') at++;
        }
    }
    return { text: long ? text.replace(/^\n/, '').replace(/\n\s*$/, '').replace(/\n[ ]+/g, '\n') : text,
        end: at + quote.length, inner };
}

/** The place of the bracket that closes the one at `start`. */
function closing(source, start) {
    let depth = 0;
    for (let at = start; at < source.length; at++) {
        if (source[at] === '"') at = literal(source, at).end - 1;
        else if (source.startsWith('//', at)) at = source.indexOf('\n', at);
        else if ('([{'.includes(source[at])) depth++;
        else if (')]}'.includes(source[at]) && --depth === 0) return at;
    }
    return source.length;
}

/**
 * The texts in a part of a source; literals joined by `+` within the same braces are one, and those within what is
 * filled in are texts of their own.
 */
export function texts(source) {
    const found = [];
    let [isSame, joined] = [false, false];
    for (let at = 0; at < source.length; at++) {
        if (source.startsWith('//', at)) {
            const end = source.indexOf('\n', at);
            at = end < 0 ? source.length : end;
        } else if (source[at] === '"') {
            const { text, end, inner } = literal(source, at);
            if (joined && found.length) found[found.length - 1] += text;
            else found.push(text);
            const last = found.pop();
            for (const part of inner) found.push(...texts(part));
            found.push(last);
            [isSame, joined] = [true, false];
            at = end - 1;
        } else if (source[at] === '+') joined = isSame;
        else if (!/\s/.test(source[at])) {
            joined = false;
            if ('{}'.includes(source[at])) isSame = false;
        }
    }
    return found;
}

/**
 * The sources of the arguments of calls that match a pattern ending at their open parenthesis.
 * @param {RegExp} pattern
 */
export function calls(source, pattern) {
    const found = [];
    for (const match of source.matchAll(new RegExp(pattern, 'g'))) {
        const open = match.index + match[0].length - 1;
        found.push(source.slice(open + 1, closing(source, open)));
    }
    return found;
}

/**
 * The source of an argument, of a property's value or of its body, that begins at a place.
 * @param {string} source @param {number} start
 */
export function argument(source, start) {
    for (let at = start; at < source.length; at++) {
        const isBody = source[at] === '{';
        if (source[at] === '"') at = literal(source, at).end - 1;
        else if ('([{'.includes(source[at])) at = closing(source, at);
        else if (',)]}'.includes(source[at]) || isEnd(source, at, start)) return source.slice(start, at);
        if (isBody) return source.slice(start, at + 1);
    }
    return source.slice(start);
}

/** Whether a line ends there that the next one does not go on. */
const isEnd = (source, at, start) => source[at] === '\n' && /\S/.test(source.slice(start, at))
    && !/[=:+?(]\s*$/.test(source.slice(start, at)) && !/^\s*(?:[.+:]|\?)/.test(source.slice(at));
