import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { load, speak } from './page.mjs';

const { errorTitle, language, languages, locale, needStrings, number, t } = await load('base/i18n.js');
beforeEach(() => speak('en'));

test('the language is the one that the server chooses for the setting, with its direction and its menu', async () => {
    await speak('de');
    assert.equal(language(), 'de');
    assert.equal(document.documentElement.dir, 'ltr');
    await speak('xx');
    assert.equal(language(), 'en');
    assert.deepEqual(languages()[0], ['en', 'English']);
    assert.equal(locale(), 'en-US');
});

test('a text with a count has a form for one and a form for others, and writes the number as the language does',
    async () => {
        assert.equal(t('edits.count', { count: 1 }), '1 object changed, not saved');
        assert.equal(t('edits.count', { count: 0 }), '0 objects changed, not saved');
        assert.equal(t('edits.count', { count: 1234 }), '1,234 objects changed, not saved');
        await speak('de');
        assert.match(t('edits.count', { count: 1234 }), /^1\.234 /);
        assert.notEqual(t('edits.count', { count: 1 }), t('edits.count', { count: 2 }).replace('2', '1'));
        assert.equal(document.documentElement.lang, 'de');
    });

test('parts are filled in as they are, and those that are missing leave nothing', () => {
    assert.equal(t('edits.undo', { name: '$& {count} <b>' }),
        t('edits.undo', { name: '@' }).replace('@', () => '$& {count} <b>'));
    assert.ok(!t('edits.undo').includes('{'));
});

test('each part of a text is filled in',
    () => assert.equal(t('history.span', { from: '1', to: '2' }), 'Changes after 1 up to 2'));

test('a text that is not there is its name', () => assert.equal(t('no.such.text', { count: 3 }), 'no.such.text'));

test('texts of a view that few need are loaded once, and English stands in for what a language lacks', async () => {
    assert.equal(t('map.all'), 'map.all');
    await speak('de');
    const asked = needStrings('map');
    assert.equal(needStrings('map'), asked);
    await asked;
    assert.equal(t('map.all'), 'Alles zeigen');
    await assert.rejects(needStrings('nothing'));
    await assert.rejects(needStrings('nothing'), 'a failure is asked anew');
});

test('an error has a title where the language is not that of the server\'s texts', async () => {
    assert.equal(errorTitle({ code: 'notFinite' }), '');
    await speak('de');
    assert.equal(errorTitle({}), '');
    assert.equal(errorTitle({ code: 'noSuchCodeAtAll' }), '');
});

test('numbers', async () => {
    assert.equal(number(1234567.5), '1,234,567.5');
    await speak('de');
    assert.equal(number(1234567.5), '1.234.567,5');
});
