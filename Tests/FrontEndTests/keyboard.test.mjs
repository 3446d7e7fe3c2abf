import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { events, load, server } from './page.mjs';

const { bindGlobalKeys, keysFor } = await load('base/keyboard.js');
const { editsOf } = await load('base/edits.js');

class Field extends HTMLElement {
    dataset = {};
    matches() { return true; }
    /** As a field of an object does it: what was typed is staged when it is left. */
    blur() { this.leave?.(); }
}

const store = { id: 's1', writing: true };
const edits = editsOf(store.id);
let done = [];
let shown = store;
bindGlobalKeys({
    openPalette: () => done.push('palette'), openHelp: () => done.push('help'),
    explainUndo: () => done.push('explainUndo'),
    shownStore: () => shown, editedStore: () => (shown && edits.count ? shown : null),
    act: (work) => work(), save: async () => done.push(`save ${edits.count}`),
});

/**
 * Presses a key in an element, and waits for what it asks; gives whether the browser's own meaning of it was kept from
 * it.
 */
async function press(key, { target = {}, ...more } = {}) {
    const event = Object.assign(new Event('keydown', { cancelable: true }),
        { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
    Object.defineProperty(event, 'target', { value: target });
    events.dispatchEvent(event);
    const isKept = event.defaultPrevented;
    await new Promise((end) => setTimeout(end, 20));
    return isKept;
}

beforeEach(() => {
    done = [];
    shown = store;
    document.activeElement = null;
    edits.take({ changes: [] });
    server.asked.length = 0;
});

test('Ctrl-S saves what is being typed, though nothing was staged before', async () => {
    server.answer = async () => {
        await new Promise((end) => setTimeout(end, 5));
        return { changes: [{ object: 'Hero/p1', kind: 'updated', properties: [] }] };
    };
    const field = new Field();
    field.leave = () => edits.stage('Name', []);
    document.activeElement = field;
    assert.equal(await press('s', { ctrlKey: true, target: field }), true);
    assert.deepEqual(done, ['save 1']);
});

test('Ctrl-S saves nothing where nothing is staged, and opens no dialog of the browser', async () => {
    assert.equal(await press('s', { ctrlKey: true }), true);
    shown = null;
    assert.equal(await press('S', { metaKey: true }), true);
    assert.deepEqual(done, []);
});

test('undo and redo ask the server; in a field that is typed in they are its own', async () => {
    server.answer = () => ({ changes: [{ object: 'Hero/p1' }], canUndo: true, canRedo: true });
    edits.take({ changes: [{ object: 'Hero/p1' }], canUndo: true, canRedo: true });
    assert.equal(await press('z', { ctrlKey: true }), true);
    await press('Z', { ctrlKey: true, shiftKey: true });
    await press('y', { ctrlKey: true });
    assert.deepEqual(server.asked.map(([, path]) => path),
        ['/stores/s1/edits/undo', '/stores/s1/edits/redo', '/stores/s1/edits/redo']);
    const field = Object.assign(new Field(), { dataset: { typed: 'yes' } });
    assert.equal(await press('z', { ctrlKey: true, target: field }), false);
    assert.equal(server.asked.length, 3);
});

test('the keys of a view with steps of its own work on these until it is left', async () => {
    const leaving = new AbortController();
    keysFor({ undo: () => done.push('undo'), redo: () => done.push('redo'), save: () => done.push('own save') },
        leaving.signal);
    for (const key of ['s', 'z', 'y']) await press(key, { ctrlKey: true });
    assert.deepEqual(done, ['own save', 'undo', 'redo']);
    leaving.abort();
    await press('s', { ctrlKey: true });
    assert.equal(done.length, 3);
});

test('a question mark opens the help, but not in a field; the palette opens everywhere', async () => {
    await press('?', { target: new Field() });
    await press('?');
    await press('k', { ctrlKey: true, target: new Field() });
    assert.deepEqual(done, ['help', 'palette']);
});

test('after a save Ctrl-Z shows what takes it back', async () => {
    edits.hasSaved = true;
    await press('z', { ctrlKey: true });
    assert.deepEqual(done, ['explainUndo']);
    edits.hasSaved = false;
});
