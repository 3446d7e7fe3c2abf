/**
 * The server's texts in another language. The server says everything in English; a table `strings/server/LANGUAGE.json`
 * has, for each English text, the same in a language, with `{}`, or `#` for a number, for what is filled in and `{1}`,
 * `{2}`, … for where it goes. Keys with `.one`, `.few` and so on behind them are plural forms, by the first number that
 * is filled in. `SentenceTable` of CoreDataLocalization reads the same tables for the tool.
 */

/**
 * Those of the table that are filled in, the most definite first.
 * @type {{pattern: RegExp, ends: string[], quoted: boolean[], text: string, forms: Record<string, string>}[]}
 */
let patterns = [];
/** @type {Map<string, string>} */
let whole = new Map();

let plural = new Intl.PluralRules('en');

/**
 * What was looked up for the text in hand, by depth and part: the same parts come by several joints.
 * @type {Map<string, string | undefined>}
 */
let found = new Map();

const place = /\{\}|#(?!\{)/;
const formOf = /^([^]*)\.(?:zero|one|two|few|many|other)$/;

/** The plural forms of a text. @param {Record<string, string>} table @param {string} english */
function formsOf(table, english) {
    const names = ['zero', 'one', 'two', 'few', 'many', 'other'];
    return Object.fromEntries(names.map((name) => [name, table[`${english}.${name}`]]).filter(([, text]) => text));
}

/** The form for the first whole number among the values; the text itself where there is none. */
function formFor(values, { forms, text }) {
    const count = values.find((value) => /^-?\d+$/.test(value));
    if (count === undefined) return text;
    return (Number(count) === 0 ? forms.zero : undefined) ?? forms[plural.select(Number(count))] ?? forms.other ?? text;
}

/** @param {Record<string, string>} table */
function take(table) {
    const entries = Object.entries(table).filter(([english]) => {
        const stem = formOf.exec(english)?.[1];
        return stem === undefined || table[stem] === undefined;
    });
    whole = new Map(entries.filter(([english]) => !place.test(english)));
    /** @param {[string, string]} entry */
    const literal = ([english]) => english.split(place).join('').length;
    patterns = entries.filter(([english]) => place.test(english)).sort((a, b) => literal(b) - literal(a))
        .map(([english, text]) => {
            const parts = english.split(place);
            return {
                pattern: new RegExp(
                    `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.*?)')}$`, 's'),
                ends: [parts[0], parts.at(-1) ?? ''],
                // What stands in quotes is a name or a value of the store, whatever it says.
                quoted: parts.slice(0, -1).map((part, i) => /['"]$/.test(part) && part.at(-1) === parts[i + 1][0]),
                text, forms: formsOf(table, english),
            };
        });
}

/**
 * Whether what fills the first place can stand at the beginning: a word or a text of the table, so that ends such as
 * `{} characters` do not take whole sentences. @param {string} english @param {string} value @param {number} depth
 */
const isFilled = (english, value, depth) => !english.startsWith(value) || !/\s/.test(value)
    || (depth < mostJoints && known(value, depth + 1) !== undefined);

/**
 * A text or a part of one that is filled in; undefined where the table has none.
 * @param {string} english
 * @returns {string | undefined}
 */
function known(english, depth) {
    const exact = whole.get(english);
    return exact ?? remembered(`known ${depth} ${english}`, () => filled(english, depth));
}

/**
 * What a search gives, which is made once for each name.
 * @param {string} name @param {() => string | undefined} search
 */
function remembered(name, search) {
    if (!found.has(name)) found.set(name, search());
    return found.get(name);
}

/** The text of the most definite pattern that a text has. @param {string} english @param {number} depth */
function filled(english, depth) {
    for (const entry of patterns) {
        const { pattern, ends, quoted } = entry;
        if (!english.startsWith(ends[0]) || !english.endsWith(ends[1])) continue;
        const values = pattern.exec(english)?.slice(1);
        if (values && isFilled(english, values[0], depth)) {
            return formFor(values, entry).replace(/\{(\d+)\}/g,
                (_, n) => (quoted[n - 1] ? values[n - 1] : joined(values[n - 1], depth + 1) ?? values[n - 1]));
        }
    }
}

/** How the server joins a subject and what is said of it, several sentences, and what helps. */
const joints = [/^([^]*?)( \()([^]*)(\))$/, /^([^]*?)(: )([^]*)()$/, /^([^]*?)([;,] )([^]*)()$/,
    /^([^]*?[.!?])(\s+)([^]*)()$/];

/** How deep parts of parts are looked up, and how long a text may be for that. */
const [mostJoints, longest] = [4, 800];

/**
 * What the table has for a text, or for one or both of the parts that it is joined of.
 * @param {string} english
 * @returns {string | undefined}
 */
function joined(english, depth = 0) {
    const exact = whole.get(english);
    if (exact !== undefined || depth > mostJoints) return exact;
    return remembered(`joined ${depth} ${english}`, () => divided(english, depth));
}

/** What the table has for a text as a whole pattern, or for its parts. @param {string} english @param {number} depth */
function divided(english, depth) {
    // Sentences before one pattern for all of them: what is filled in would take the next sentence as well.
    for (const end of english.matchAll(/[.!?]\s+(?=[A-Z])/g)) {
        const start = end.index + end[0].length;
        const [left, right] = [known(english.slice(0, end.index + 1), depth + 1),
            joined(english.slice(start), depth + 1)];
        if (left !== undefined && right !== undefined) return left + english.slice(end.index + 1, start) + right;
    }
    const pattern = known(english, depth);
    if (pattern !== undefined) return pattern;
    for (const joint of joints) {
        const [, first, between, second, end] = joint.exec(english) ?? [];
        if (between === undefined) continue;
        const [left, right] = [joined(first, depth + 1), joined(second, depth + 1)];
        if (left !== undefined || right !== undefined) return (left ?? first) + between + (right ?? second) + end;
    }
}

/**
 * What finds the text of a language for one of the server's; it finds nothing for texts that are longer than any of the
 * server's.
 * @param {Record<string, string>} table @param {string} language
 * @returns {(english: string) => string | undefined}
 */
export function translator(table, language) {
    plural = new Intl.PluralRules(language);
    take(table);
    return (english) => {
        found = new Map();
        return english.length <= longest ? joined(english) : undefined;
    };
}
