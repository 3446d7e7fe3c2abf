import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { composed } from './composedTexts.mjs';
import { coverage, errorTexts, errorTextsOf } from './errorTexts.mjs';
import { assets } from './page.mjs';
import { swiftFiles, texts } from './swiftTexts.mjs';

const sources = fileURLToPath(new URL('../../Sources', import.meta.url));
const languages = [['de', 'German'], ['fr', 'French'], ['ar', 'Arabic']];
const forms = /\.(?:zero|one|two|few|many|other)$/;
const table = (name) => JSON.parse(readFileSync(join(assets, `strings/${name}.json`), 'utf8'));
const both = (language) => ({ ...table(`tool/${language}`), ...table(`server/${language}`) });
/** The English text of an entry; that of a plural form is the text that it is a form of. */
const english = (key, own) => (own[key.replace(forms, '')] === undefined ? key : key.replace(forms, ''));

/** Texts for one of something, where Arabic has a word for the number. */
const singular = new Set(['{} error, nothing is written', '{} finding, of which {} can be repaired.', '{} object',
    '{} transaction']);

/** Texts that say how to call the server, of which a page shows what that does. */
const calls = /: POST /;

/** Files of which every text is one of an error, by whatever call it is made. */
const whole = ['CoreDataAccounts/Grants', 'CoreDataAccounts/Provider', 'CoreDataAccounts/Redirects/RedirectLoop.swift',
    'CoreDataAccounts/Redirects/RedirectReceiver.swift', 'CoreDataAccounts/Storage', 'CoreDataJobs/Jobs',
    'CoreDataJobs/Journal', 'CoreDataJobs/Network', 'CoreDataJobs/Values/JobError.swift',
    'CoreDataSyncHub/Transport', 'CoreDataSyncing', 'CoreDataTransfer/Downloads', 'CoreDataTransfer/Engine',
    'CoreDataTransfer/Pictures', 'CoreDataTransfer/Requests/RequestBody.swift', 'CoreDataTransfer/Responses',
    'CoreDataTransfer/Session', 'CoreDataTransfer/Values', 'CoreDataLocalization/Tables',
].map((name) => `Products/${name}`)
    .concat('Workbench/CoreDataPrinting/StandardOutput.swift', 'Workbench/CoreDataTracing/Machine/MachineCheck.swift');

/** What stores say that cannot be opened, read, saved, migrated or copied. */
const stores = ['Stores/CoreDataSQLite', 'Stores/CoreDataPostgres', 'Engine/CoreDataRecordStores/Files',
    'Engine/CoreDataMigration/Errors', 'Engine/CoreDataMigration/Versions'];

/** Errors that neither tool nor page meets: programs get them of calls of their own. */
const ofPrograms = ['Products/CoreDataLocalization/Reading/', 'Products/MultipeerConnectivity/',
    'Products/CoreDataSyncPeers/', 'Products/CoreDataSyncing/KeyValues/', 'Products/Documents/',
    'Products/NetServices/', 'Products/CoreDataMail/',
    'Products/CoreDataSyncPeers/Discovery/', 'Products/CoreDataSyncPeers/PeerTransport',
    'Products/CoreDataSyncing/KeyValues/', 'Products/Documents/',
    'Products/NetServices/',
    'Products/NetServices/', 'Products/CoreDataPlaces/', 'Products/CoreDataGazetteer/',
    'Products/CoreDataPictures/Capture/', 'Products/CoreDataPhotoLibrary/',
    'Workbench/CoreDataExchange/Containers/', 'Products/CoreDataRecordings/Files/',
    'Products/CoreDataRecordings/Playing/', 'Products/CoreDataRecordings/Recording/', 'Testing/',
    'Products/CoreDataMedia/', 'Workbench/CoreDataExchange/Backups/'];

/**
 * Reasons in a hub's answers over HTTP: its client does not read them, and says of the status what has happened; see
 * `HubFailures`.
 */
const ofHubs = ['Keys/HubAccess', 'Requests/', 'Serving/HubExchange', 'Storage/HubRefusal', 'Storage/HubStorage',
    'Storage/Upload'].map((name) => `Workbench/CoreDataSyncHubServer/${name}`);

/** What is not translated, and why. */
const left = new Map([
    ["'{}' of {}", 'two names'],
    ['{} is nil', 'a key and its value'],
    ['model check', 'the name of a command'],
    ['copy the history', 'what SQLite was doing, in a text of SQLite'],
    ['open the search index', 'the same'],
    ['open {}', 'the same'],
    ['read the history', 'what the server was doing, in a text of the server'],
    ['read rows', 'the same'],
    ['read beside', 'the name of a way to read'],
    ['Basic {}', 'a header field'],
    ['gzip, deflate', 'a header field'],
    ['value of kind {}, {} bytes', 'a value in JSON'],
    ['list the items', 'what was done with a hub, in the texts that say why it failed'],
    ["read '{}'", 'the same'],
    ["write '{}'", 'the same'],
    ["remove '{}'", 'the same'],
]);

/** What the tables have of SQLite's own texts, and of parts of others that no source has as one literal. */
const others = new Set(['ambiguous column name: {}', 'incomplete input', 'near "{}": syntax error',
    'no such column: {}', 'no such function: {}', 'no such table: {}', 'unrecognized token: "{}"',
    'wrong number of arguments to function {}()']);

/** Where errors are those of sync. */
const sync = ['Products/CoreDataSync', 'Workbench/CoreDataSyncHubServer/', 'Workbench/coredata/Commands/Sync/'];

/** Whether the tool shows a sentence of a file both with its full stop and without it: what `SyncError` says. */
const isWithoutStop = (file) => sync.some((folder) => file.startsWith(folder)) && !file.endsWith('/SyncSummary.swift');

/** The texts of errors, each with its file, without parts that are always shown within others. */
function found() {
    const found = errorTextsOf(sources, ['Workbench', 'Products', ...stores], whole);
    for (const [text, file] of [...found]) {
        const isLeft = left.has(text) || composed.has(text)
            || [...ofPrograms, ...ofHubs].some((folder) => file.startsWith(folder));
        if (isLeft) found.delete(text);
        else if (isWithoutStop(file) && text.endsWith('.')) found.set(text.slice(0, -1), file);
    }
    return found;
}

for (const [language, name] of languages) {
    test(`every cause, hint, reason and cure of an error is there in ${name} (L10N-01)`, () => {
        const all = found();
        assert.ok(all.size > 1_200, `${all.size} texts were found`);
        const covers = coverage(both(language));
        const missing = [...all].filter(([text]) => !covers(text));
        assert.deepEqual(missing.map(([text, file]) => `${file}: ${text}`), []);
        assert.deepEqual([...composed.values()].flat().filter((text) => both(language)[text] === undefined), []);
    });

    test(`an entry in ${name} fills in what the English text does (L10N-01)`, () => {
        const own = both(language);
        for (const [key, text] of Object.entries(own)) {
            const parts = english(key, own).split(/\{\}|#(?!\{)/);
            const missing = parts.slice(1).map((_, at) => at + 1).filter((place) => !text.includes(`{${place}}`));
            const further = [...text.matchAll(/\{(\d+)\}/g)].filter(([, place]) => place < 1 || place >= parts.length);
            assert.deepEqual(further.map(([place]) => place), [], key);
            // A count may be a word of the language, and an ending of English has no counterpart.
            const isCount = (place) => place === 1 && (singular.has(key) || forms.test(key));
            const isSpared = (place) => isCount(place) || /\w$/.test(parts[place - 1]) || calls.test(key);
            assert.deepEqual(missing.filter((place) => !isSpared(place)), [], key);
            assert.ok(!text.includes('{}'), key);
            assert.equal(text.trim() === text, key.trim() === key, key);
        }
    });
}

test('the tables have the same English texts in each language, sorted', () => {
    for (const part of ['server', 'tool']) {
        const stems = (own) => [...new Set(Object.keys(own).map((key) => english(key, own)))].sort();
        const wanted = stems(table(`${part}/de`));
        for (const [language] of languages) {
            const own = table(`${part}/${language}`);
            assert.deepEqual(stems(own), wanted, `${part}/${language}`);
            const keys = Object.keys(own);
            const unsorted = keys.filter((key, at) => at > 0 && key < keys[at - 1]);
            assert.deepEqual(unsorted, [], `${part}/${language}`);
        }
    }
});

test('every English text of the tables is one of the sources', () => {
    const all = [...new Set(swiftFiles(sources).flatMap((file) => texts(readFileSync(file, 'utf8'))))];
    const joined = all.join('\0');
    const made = new Set([...composed.values()].flat());
    const own = both('de');
    const isUsed = (key) => {
        if (made.has(key) || others.has(key) || joined.includes(key.replace(/^column /, ''))) return true;
        const source = key.split(/\{\}|#(?!\{)/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?');
        const pattern = new RegExp(`^${source}$`, 's');
        return all.some((text) => pattern.test(text));
    };
    const keys = new Set(Object.keys(own).map((key) => english(key, own)));
    assert.deepEqual([...keys].filter((key) => !isUsed(key)), []);
});

test('texts of errors are found after labels and in calls', () => {
    const source = 'throw E(subject: "a b", cause: x ? "one two" : "three four",\n hint: "five six \\(seven)")\n'
        + 'throw arguments.error("seven eight")\nlet hint = y ?? "nine ten"\nlet other = "no text"';
    assert.deepEqual(errorTexts(source), ['one two', 'three four', 'five six {}', 'nine ten', 'seven eight']);
});

test('a text is covered where its words are all there', () => {
    const keys = ["the store '{}' is not open", 'open it', '--{} goes alone', '{} is missing'];
    const covers = coverage(Object.fromEntries(keys.map((key) => [key, key])));
    assert.ok(covers("the store 'a b' is not open; open it"));
    assert.ok(covers('--all goes alone') && covers('--file PATH: ENTITY is missing'));
    assert.ok(!covers('the store is not open') && !covers("the store '{}' is not open (close it)"));
    assert.ok(!covers('a whole sentence is missing'));
});
