import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, test } from 'node:test';
import { assets, load, speak } from './page.mjs';
import { calls, swiftFiles, texts } from './swiftTexts.mjs';

const { serverText, serverTextLanguage } = await load('base/serverTexts.js');
const { ApiError } = await load('base/api.js');
const table = (language) => JSON.parse(readFileSync(join(assets, `strings/server/${language}.json`), 'utf8'));
const sources = fileURLToPath(new URL('../../Sources/', import.meta.url));
beforeEach(() => speak('de'));

/**
 * Where the texts come from that a page can get: folders or files, and the calls in them; without calls all texts of
 * the files.
 */
const origins = [
    ['Workbench/CoreDataBrowser', /\b(?:BrowserFailure|badRequest|InspectionError)\(/],
    ['Workbench/CoreDataBrowser/HTTP/StoreTrouble.swift'],
    ['Workbench/CoreDataBrowser/Stores/FileProblem.swift'],
    ['Workbench/CoreDataBrowser/Pages/Editing/SavePage.swift'],
    ['Workbench/CoreDataBrowser/Apps/Fields/FieldSaving.swift'],
    ['Workbench/CoreDataViewing', /\bInspectionError\(/],
    ['Workbench/CoreDataWorkbench', /\bInspectionError\(/],
    ['Workbench/CoreDataWorkbench/Objects/KeyRoute.swift'],
    ['Workbench/CoreDataWorkbench/Values/ISODate.swift'],
    ['Workbench/CoreDataWorkbench/Values/ValueParsing.swift'],
    ['Workbench/CoreDataWorkbench/Values/JSONValueParsing.swift'],
    ['Workbench/CoreDataWorkbench/Editing/ErrorDetail.swift'],
    ['Workbench/CoreDataWorkbench/Editing/RefusedValue.swift'],
    ['Workbench/CoreDataExchange/Importing', /\bInspectionError\(/],
    ['Workbench/CoreDataDocuments/Reading', /\bInspectionError\(/],
    ['Workbench/CoreDataDocuments/Mapping', /\b(?:InspectionError|wrong)\(/],
    ['Workbench/CoreDataExchange/Comparing', /\bInspectionError\(/],
    ['Workbench/CoreDataExchange/Exporting', /\bInspectionError\(/],
    ['Workbench/CoreDataRepair/Checking', /\b(?:InspectionError|StoreFinding|finding|RowRule)\(/],
    ['Workbench/CoreDataTracing/Instruments/Findings'],
    ['Workbench/CoreDataTracing/Instruments/Traces/TraceReader.swift'],
    ['Workbench/CoreDataTracing/Instruments/Processes', /\bInspectionError\(/],
    ['Workbench/CoreDataModelEditing', /\bModelEditError\(/],
    ['Workbench/CoreDataRepair/SQLConsole', /\b(?:SQLConsoleError|refuse)\(/],
    ['Engine/CoreDataGraph/Validation/Violation.swift'],
    ['Engine/CoreDataGraph/Validation/ViolationKind.swift'],
    ['Engine/CoreDataGraph/Validation/RuleText.swift'],
    ['Engine/CoreDataGraph/Validation/NSManagedObject+NumberRanges.swift'],
    ['Engine/CoreDataGraph/Validation/FailureList.swift'],
    ['Models/CoreDataFoundation/Predicates/Parsing', /\b(?:unexpected|error)\(/],
];

/** What is for a terminal alone, about arguments of a format, which a page does not have, or a part of another text. */
const left = new Set(['  … and {} more', 'Unresolved error', '{} is nil', 'argument {} {}', '{} for {}', "'{}' of {}"]);

/** Two words at least, or one and what is filled in. */
const isText = (text) => /[A-Za-z]{2,}[,;:]? [A-Za-z{'("]/.test(text) && !left.has(text) && !isSQL.test(text);

/** Conditions that find rows stand beside the texts of findings. */
const isSQL = /\b(?:AND|SELECT|WHERE|LIMIT|CASE|NOT IN|Z_ENT IN|IS NULL)\b|\btypeof\(|^(?:\{\}\.)?\{\}: /;

function serverTexts() {
    const found = new Map();
    for (const [place, pattern] of origins) {
        for (const file of swiftFiles(join(sources, place))) {
            const source = readFileSync(file, 'utf8');
            const parts = pattern ? calls(source, pattern) : [source];
            for (const text of parts.flatMap(texts).filter(isText)) found.set(text, basename(file));
        }
    }
    return found;
}

for (const [language, name] of [['de', 'German'], ['fr', 'French'], ['ar', 'Arabic']]) {
    test(`every text of the server that a page can show is there in ${name} (BRW-54, L10N-01)`, async () => {
        await speak(language);
        const [found, own] = [serverTexts(), table(language)];
        assert.ok(found.size > 400, `${found.size} texts were found`);
        const missing = [...found].filter(([text]) => own[text] === undefined && serverText(text) === text);
        assert.deepEqual(missing.map(([text, file]) => `${file}: ${text}`), []);
    });

    test(`a text in ${name} fills in nothing that the English one has not (L10N-01)`, () => {
        for (const [english, text] of Object.entries(table(language))) {
            const count = english.split(/\{\}|#(?!\{)/).length - 1;
            for (const [, place] of text.matchAll(/\{(\d+)\}/g)) assert.ok(place >= 1 && place <= count, english);
            assert.notEqual(text, '', english);
        }
    });
}

test('literals of Swift are read with what is filled in, joined lines and texts within', () => {
    assert.deepEqual(texts('a("one \\(x.map { "two \\($0)" } ?? y) three" + "four") // "five"'),
        ['two {}', 'one {} threefour']);
    assert.deepEqual(texts('{ a("one") }\n{ b($0 + "/") }\nc("two" + d + "three")'), ['one', '/', 'twothree']);
    assert.deepEqual(calls('f(g(1), "(") g(2)', /\bg\(/), ['1', '2']);
});

/** What the page shows for what the server answers. */
function shown(reason, hint) {
    const error = new ApiError(422, { error: { code: 'badValue', reason, hint } });
    return hint ? [error.message, error.hint] : error.message;
}

test('errors that a user can meet are in German', () => {
    assert.deepEqual(
        shown('strength: the text is not a value of type Integer 16', 'a whole number from -32768 to 32767'),
        ['strength: der Text ist kein Wert des Typs Integer 16', 'eine ganze Zahl von -32768 bis 32767']);
    assert.deepEqual(shown('another program is using the store', 'try again when it is done; unsaved changes are kept'),
        ['ein anderes Programm benutzt den Store',
            'Versuchen Sie es noch einmal, wenn es fertig ist; nicht gesicherte Änderungen bleiben erhalten.']);
    assert.equal(shown('there is no room left on the disk'), 'auf dem Datenträger ist kein Platz mehr');
    assert.equal(shown('the store is open for reading only'), 'der Store ist nur zum Lesen geöffnet');
    assert.equal(shown('Villain: the model has no such entity'), 'Villain: das Modell hat keine solche Entität');
    assert.equal(shown("you may not update 'name' of Hero"), 'Sie dürfen „name“ von Hero nicht ändern');
    assert.equal(shown("'age' of entity 'Hero' is greater than the model allows (at most 150). [1610]"),
        '„age“ der Entität „Hero“ ist größer, als das Modell erlaubt (höchstens 150). [1610]');
    assert.equal(shown("'name' of entity 'Hero' is longer than the model allows (at most 10 characters). "
        + "It has 14 characters: 'ABCDEFGHIJKLMN'."),
        '„name“ der Entität „Hero“ ist länger, als das Modell erlaubt (höchstens 10 Zeichen). '
        + "Es sind 14 Zeichen: 'ABCDEFGHIJKLMN'.");
    assert.equal(shown('the query was stopped after 10 seconds'), 'die Abfrage wurde nach 10 Sekunden angehalten');
    assert.equal(shown('another user or program saved what you changed'),
        'ein anderer Benutzer oder ein anderes Programm hat gesichert, was Sie geändert haben');
    assert.equal(shown('name = : at character 8: found the end of the text, expected a value or a key'),
        'name = : bei Zeichen 8: das Ende des Textes gefunden, ein Wert oder ein Schlüssel erwartet');
    assert.equal(shown("'name' of entity 'Hero' is longer than the model allows (at most 30 characters). "
        + "The rule of 'name' is: at most 30 characters. The value is: 'x'."),
        '„name“ der Entität „Hero“ ist länger, als das Modell erlaubt (höchstens 30 Zeichen). '
        + "Die Regel von „name“ ist: höchstens 30 Zeichen. Der Wert ist: 'x'.");
});

test('findings of a check have their numbers', () => {
    assert.equal(serverText('The relationship leads to the row 77 of the table ZCITY, which does not exist.'),
        'Die Beziehung verweist auf die Zeile 77 der Tabelle ZCITY, die es nicht gibt.');
});

test('findings of a recording are in German', () => {
    assert.equal(serverText("6 fetches of 'Person' where height > $v went through 360354 rows for 315 results."),
        '6 Abfragen von „Person“ mit height > $v lasen 360354 Zeilen für 315 Ergebnisse.');
});

test('names and values of the store stay as they are, and so do texts that the table does not have', () => {
    assert.equal(serverText("the store 'a key' is not open here"), 'der Store „a key“ ist hier nicht geöffnet');
    assert.equal(serverText('misuse of aggregate: sum()'), 'misuse of aggregate: sum()');
    assert.equal(serverTextLanguage('misuse of aggregate: sum()'), 'en');
    assert.equal(serverTextLanguage('there is no such object'), null);
    const long = 'x, y: z. '.repeat(2000);
    assert.equal(serverText(long), long);
});

test('a text of many sentences and parts is looked up to its end', { timeout: 60_000 }, () => {
    const value = 'a, b: c; d. E (f) '.repeat(38);
    const text = "'text' of entity 'Note' is longer than the model allows (at most 3 characters). "
        + `The value is: '${value}'.`;
    assert.ok(text.length > 700 && text.length < 800 && serverText(text).includes('Note'));
});

test('an English page shows what the server said', async () => {
    await speak('en');
    assert.equal(serverText('there is no such object'), 'there is no such object');
    assert.equal(serverTextLanguage('there is no such object'), null);
});
