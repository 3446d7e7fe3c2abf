// Reads the modules of the browser's front end: who imports whom, what is not used, and what the page's rules forbid.
// Run by Scripts/check-front-end with the folder of the assets, and those of further files that use its names.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const [assets, ...users] = process.argv.slice(2);
/** The folders from the bottom up: a module imports its own and those below. */
const layers = ['base', 'components', 'pages'];

/** What may stand nowhere in a module, and why. */
const forbidden = [
    [/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/, 'texts become text nodes, never markup'],
    [/\beval\(|\bnew Function\(/, 'the content policy allows no code made of texts'],
    [/\bdebugger\b|\bconsole\.(?:log|debug|trace)\(/, 'what helps to find a fault does not stay'],
    [/[^=!]==[^=]|!=[^=]/, 'values are compared by === and !=='],
];

/** The columns that a line has at most, but for one that an address makes longer. */
const widest = 120;

/** Classes of drawings that the server makes. */
const drawn = /^(?:paper|zero|[sl]\d)$/;

let complaints = 0;
function complain(file, line, text) {
    console.log(`${relative('.', join(assets, file))}:${line}: ${text}`);
    complaints += 1;
}

const filesBelow = (folder, ending) =>
    readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) =>
        (entry.isDirectory() ? filesBelow(join(folder, entry.name), ending)
            : ending.test(entry.name) ? [join(folder, entry.name)] : []));

const lineOf = (text, index) => text.slice(0, index).split('\n').length;
/** A text with its comments blank, so that lines stay where they are. */
const withoutComments = (text) => text.replace(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm,
    (comment) => comment.replace(/[^\n]/g, ' '));

/** The layer of a module, whatever folder of it the module is in; -1 for one of none. */
const layerOf = (file) => layers.indexOf(file.split('/')[0]);

/** The modules that a text imports, at once or later, with the names that it takes. */
function importsOf(file, code) {
    const target = (path) => normalize(join(dirname(file), path));
    const found = [...code.matchAll(/^import (?:\{([^}]*)\} from )?'(\.[^']+)'/gm)].map((match) => ({
        target: target(match[2]), line: lineOf(code, match.index),
        names: (match[1] ?? '').split(',').map((name) => name.trim()).filter(Boolean),
    }));
    for (const match of code.matchAll(/\bimport\('(\.[^']+)'\)/g)) {
        found.push({ target: target(match[1]), line: lineOf(code, match.index), names: [] });
    }
    // A module of a computed name is one of a folder.
    for (const match of code.matchAll(/\bimport\(`(\.[^`$]*)\$/g)) {
        found.push({ target: target(match[1]), line: lineOf(code, match.index), names: [], isFolder: true });
    }
    return found;
}

function read(path) {
    const file = relative(assets, path);
    const code = withoutComments(readFileSync(path, 'utf8'));
    const exports = [...code.matchAll(/^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm)].map((match) =>
        ({ name: match[1], line: lineOf(code, match.index) }));
    return { file, code, exports, imports: importsOf(file, code), layer: layerOf(file) };
}

const modules = new Map(filesBelow(assets, /\.js$/).map(read).map((module) => [module.file, module]));
const others = users.flatMap((folder) => filesBelow(folder, /\.(?:swift|mjs)$/))
    .map((path) => readFileSync(path, 'utf8'));

function checkImports({ file, code, imports, layer }) {
    const withoutPaths = code.replace(/'\.[^']*\.js'/g, "''");
    for (const { target, line, names, isFolder } of imports) {
        const other = layerOf(target);
        if (layer >= 0 && (other > layer || other < 0)) {
            complain(file, line, `${layers[layer]}/ imports ${target}, which stands above it`);
        }
        if (isFolder) continue;
        const module = modules.get(target);
        if (!module) complain(file, line, `there is no ${target}`);
        for (const name of names) {
            const [from, local = from] = name.split(' as ');
            if (module && !module.exports.some((one) => one.name === from)) {
                complain(file, line, `${target} exports no ${from}`);
            }
            if (withoutPaths.match(new RegExp(`(?<![\\w$])${local}(?![\\w$])`, 'g')).length < 2) {
                complain(file, line, `${local} is imported and not used`);
            }
        }
    }
}

function checkExports({ file, exports }) {
    if (dirname(file) === 'pages' && !exports.some((one) => one.name === 'render')) {
        complain(file, 1, 'a page exports render');
    }
    for (const { name, line } of exports) {
        if (dirname(file) === 'pages' && name === 'render') continue;
        const use = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
        const isUsed = [...modules.values()].some((other) => other.file !== file && use.test(other.code))
            || others.some((text) => use.test(text));
        if (!isUsed) complain(file, line, `${name} is exported and nobody imports it`);
    }
}

function checkWords({ file, code }) {
    for (const [i, text] of code.split('\n').entries()) {
        for (const [pattern, why] of forbidden) {
            if (pattern.test(text.replace(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, "''"))) complain(file, i + 1, why);
        }
    }
}

/** Complains of lines of the modules, the style sheets and the tests that are too long to be read beside each other. */
function checkWidths() {
    const tests = users.flatMap((folder) => filesBelow(folder, /\.mjs$/));
    for (const path of [...filesBelow(assets, /\.(?:js|css)$/), ...tests]) {
        for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
            if ([...line].length <= widest || /https?:\/\/\S/.test(line)) continue;
            complain(relative(assets, path), i + 1, `the line has ${[...line].length} columns, more than ${widest}`);
        }
    }
}

/** Complains of modules that import each other in a circle, at once or later. */
function checkCircles() {
    const state = new Map();
    const visit = (file, path) => {
        if (state.get(file) === 'done') return;
        if (state.get(file) === 'open') {
            return void complain(file, 1, `a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
        }
        state.set(file, 'open');
        for (const { target } of modules.get(file)?.imports ?? []) visit(target, [...path, file]);
        state.set(file, 'done');
    };
    for (const file of modules.keys()) visit(file, []);
}

/**
 * Complains of classes that only style sheets name, and of physical sides, which do not turn with the direction of a
 * text.
 */
function checkStyles() {
    const texts = [...modules.values()].map((module) => module.code).join('\n')
        + filesBelow(assets, /\.html$/).map((path) => readFileSync(path, 'utf8')).join('\n');
    const words = new Set(texts.match(/[\w-]+/g));
    for (const path of filesBelow(assets, /\.css$/)) {
        const style = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g,
            (comment) => comment.replace(/[^\n]/g, ' '));
        const file = relative(assets, path);
        for (const match of style.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{};]*\{)/g)) {
            if (!words.has(match[1]) && !drawn.test(match[1])) {
                complain(file, lineOf(style, match.index), `no module names the class ${match[1]}`);
        }
            }
        for (const match of style.matchAll(
            /[{;\s]((?:margin|padding|border)-(?:left|right)|text-align:\s*(?:left|right))\b/g)) {
            complain(file, lineOf(style, match.index + 1),
                `${match[1]} is a side of the screen; use inline-start or inline-end`);
        }
    }
}

if (modules.size === 0) complain('main.js', 1, 'there are no modules');
for (const module of modules.values()) {
    checkImports(module);
    checkExports(module);
    checkWords(module);
}
checkCircles();
checkStyles();
checkWidths();
process.exitCode = complaints ? 1 : 0;
