import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assets } from './page.mjs';

const folder = join(assets, 'strings');
const table = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const form = /\.(zero|one|two|few|many|other)$/;
const stem = (key) => key.replace(form, '');
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort();

for (const [language, name] of [['de', 'German'], ['fr', 'French'], ['ar', 'Arabic']]) {
    test(`each table of the page has in ${name} the texts of the English one, in their plural forms (L10N-01)`, () => {
        const tables = readdirSync(folder).filter((file) => /(^|\.)en\.json$/.test(file));
        assert.ok(tables.length > 8, `${tables.length} tables`);
        const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const file of tables) {
            const english = table(file);
            const own = table(file.replace('en.json', `${language}.json`));
            const isCounted = (key) => `${key}.one` in english && `${key}.other` in english;
            const stems = (all) => [...new Set(Object.keys(all).map(stem))];
            assert.deepEqual(stems(own), stems(english), file);
            for (const key of Object.keys(english)) {
                if (!isCounted(stem(key))) {
                    assert.deepEqual(places(own[key]), places(english[key]), `${file}: ${key}`);
                    continue;
                }
                for (const category of forms) {
                    const text = own[`${stem(key)}.${category}`];
                    assert.ok(text, `${file}: ${stem(key)}.${category}`);
                    // A form for one number, or two, may have a word for it.
                    const left = places(english[`${stem(key)}.other`]).filter((place) => !places(text).includes(place));
                    const isNamed = left.length === 0 || ['one', 'two'].includes(category) && left.join() === 'count';
                    assert.ok(isNamed, `${file}: ${stem(key)}.${category}`);
                }
            }
        }
    });
}
