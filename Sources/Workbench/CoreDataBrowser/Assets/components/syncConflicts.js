/** The attributes of which a value lost in sync, and the buttons that put one back. */
import { h, fill, button, stored } from '../base/dom.js';
import { address } from '../base/api.js';
import { number, t } from '../base/i18n.js';
import { timeNode } from '../base/format.js';
import { link } from '../base/router.js';
import { shell } from './shell.js';

/**
 * @typedef {{peer: string, date: string, value: ?string, chosen: boolean, transaction: ?string,
 *     identity: string}} Write
 * @typedef {{object: ?string, identity: string, entity: string, attribute: string, rule: string,
 *     writes: Write[]}} Conflict
 */

export class SyncConflicts {
    /** @param {{store: import('../base/store.js').StoreInfo, path: (...more: string[]) => string,
     *     run: (path: string, body: object) => Promise<any>}} view */
    constructor(view) {
        this.view = view;
        this.element = h('section', { 'aria-live': 'polite' });
    }

    async load() {
        const result = await this.view.run(this.view.path('conflicts'), {});
        if (result) this.draw(result.conflicts, result.count);
    }

    /** @param {Conflict[]} conflicts @param {number} count */
    draw(conflicts, count) {
        if (count === 0) return fill(this.element, h('p.dim', {}, t('sync.noConflicts')));
        const head = (name) => h('th', { scope: 'col' }, t(`sync.${name}`));
        return fill(this.element,
            count > conflicts.length && h('p.dim', {},
                t('sync.someConflicts', { listed: number(conflicts.length), all: number(count) })),
            h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('sync.conflicts') },
                h('table.plain', { 'aria-label': t('sync.conflicts') },
                    h('thead', {}, h('tr', {}, head('object'), head('attribute'), head('rule'), head('chosen'),
                        head('lost'))),
                    h('tbody', {}, conflicts.map((conflict) => this.row(conflict))))));
    }

    /** @param {Conflict} conflict */
    row(conflict) {
        const { object, attribute } = conflict;
        const value = (write) => (write.value === null ? h('span.nil', {}, 'nil') : stored(write.value));
        return h('tr', { data: { object: object ?? conflict.identity, attribute } },
            h('th', { scope: 'row' }, object
                ? h('a', { href: link(address(['stores', this.view.store.id, 'objects', object])) }, stored(object))
                : [stored(conflict.entity), ' ', h('code', { dir: 'ltr' }, conflict.identity)]),
            h('td', {}, stored(attribute)), h('td', {}, h('code', { dir: 'ltr' }, conflict.rule)),
            h('td', {}, conflict.writes.filter((w) => w.chosen).map((w) => h('div', {}, value(w)))),
            h('td', {}, conflict.writes.filter((w) => !w.chosen).map((w) => h('div.line', {}, value(w),
                h('span.dim', {}, h('code', { dir: 'ltr' }, w.peer), ' · ', timeNode(w.date)), h('span.grow'),
                object && w.transaction && button(t('sync.putBack'), () => this.restore(conflict, w),
                    { class: 'small' })))));
    }

    /** @param {Conflict} conflict @param {Write} write */
    async restore({ object, attribute }, { transaction, identity }) {
        const done = await this.view.run(this.view.path('restore'), { object, attribute, transaction, identity });
        if (!done) return;
        shell.notify(t('sync.isBack'), 'good');
        await this.load();
    }
}
