/** A text of the server as an element that runs in the direction of its language, whatever name it begins with. */
import { h, visible } from './dom.js';
import { serverText, serverTextLanguage } from './serverTexts.js';

/** @param {string} english */
export const serverNode = (english) => h('bdi',
    { dir: serverTextLanguage(english) ? 'ltr' : document.documentElement.dir || null }, visible(serverText(english)));
