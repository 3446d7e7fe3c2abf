import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { assets, load } from './page.mjs';
import { calls, swiftFiles, texts } from './swiftTexts.mjs';

const { translator } = await load('base/serverTextTable.js');
const table = (name) => JSON.parse(readFileSync(join(assets, `strings/${name}.json`), 'utf8'));
const sources = ['coredata', 'CoreDataPrinting'].map((module) =>
    fileURLToPath(new URL(`../../Sources/Workbench/${module}`, import.meta.url)));
const forms = /\.(?:zero|one|two|few|many|other)$/;
const languages = ['de', 'fr', 'ar'];

/** What the tool alone says: lines for people, titles of its tables, and what a long command is doing. */
function toolTexts() {
    const found = new Map();
    for (const file of sources.flatMap((folder) => swiftFiles(folder))) {
        const source = readFileSync(file, 'utf8');
        for (const call of calls(source, /\b(?:say|progress|RunLanguage\.text)\(/)) {
            for (const text of texts(call)) {
                if (/[A-Za-z]{2,}/.test(text) && text !== 'column {}') found.set(text, basename(file));
            }
        }
        for (const [, text] of source.matchAll(/\.init\(label: "([^"]+)"/g)) {
            found.set(`column ${text}`, basename(file));
        }
    }
    return found;
}

test('what the tool says for people is there in German, French and Arabic (L10N-01)', () => {
    const said = toolTexts();
    assert.ok(said.size > 60, `${said.size} texts were found`);
    for (const language of languages) {
        const texts = translator({ ...table(`tool/${language}`), ...table(`server/${language}`) }, language);
        const missing = [...said].filter(([text]) => texts(text) === undefined);
        assert.deepEqual(missing.map(([text, file]) => `${file}: ${text}`), [], language);
    }
});

test('the tables of the tool have the same texts in each language, and fill in what the English ones have', () => {
    const english = Object.keys(table('tool/de')).filter((key) => !forms.test(key));
    for (const language of languages) {
        const own = table(`tool/${language}`);
        assert.deepEqual(Object.keys(own).filter((key) => !forms.test(key)), english, language);
        for (const [key, text] of Object.entries(own)) {
            const count = key.replace(forms, '').split(/\{\}|#(?!\{)/).length - 1;
            for (const [, place] of text.matchAll(/\{(\d+)\}/g)) assert.ok(place >= 1 && place <= count, key);
            assert.notEqual(text, '', key);
        }
        const known = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
        for (const key of Object.keys(own)) {
            const form = forms.exec(key)?.[0].slice(1);
            assert.ok(!form || form === 'zero' || known.has(form), `${key} in ${language}`);
        }
    }
});

test('the plural form is that of the language (L10N-01)', () => {
    const arabic = translator(table('tool/ar'), 'ar');
    assert.deepEqual([0, 1, 2, 3, 11, 100].map((count) => arabic(`${count} objects`)),
        ['لا كائنات', 'كائن واحد', 'كائنان', '3 كائنات', '11 كائنًا', '100 كائن']);
    assert.equal(translator(table('tool/fr'), 'fr')('exported 0 objects'), 'export terminé : 0 objet');
});
