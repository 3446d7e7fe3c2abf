/** Devices nearby that a store syncs with: who is connected, and the picker in which they are found and paired. */
import { h, fill, find, button, stored, uid, focusedElement } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { shownList } from '../base/format.js';
import { serverNode } from '../base/serverNode.js';
import { openDialog } from './dialog.js';
import { act } from './editBar.js';
import { shell } from './shell.js';

/** How often devices are asked for while they are being connected, in milliseconds. */
const pace = 1000;

/**
 * @typedef {{id: string, name: string, state: string, code: ?string, problem: ?string}} Device
 * @typedef {{possible: boolean, running: boolean, group: ?string, arrivals: number, addresses: string[],
 *     failure: ?{message: string, cure: string}, devices: Device[]}} Nearby
 */

export class NearbyDevices {
    /**
     * @param {{store: any, signal: AbortSignal, path: (...more: string[]) => string, isBusy: boolean,
     *     exchange: (isQuiet: boolean) => any}} view
     */
    constructor(view) {
        this.view = view;
        /** @type {?Nearby} */
        this.state = null;
        this.element = h('section.nearbydevices');
        /** What is open of the picker: its list and how it is closed. */
        this.picker = null;
        this.isBehind = false;
        const timer = setInterval(() => this.look(), pace);
        view.signal.addEventListener('abort', () => clearInterval(timer));
    }

    get path() { return (...more) => this.view.path('devices', ...more); }
    get connected() { return this.state.devices.filter((device) => device.state === 'connected'); }

    async load() { this.take(await api.get(this.path(), this.view.signal)); }

    async look() {
        if (!this.state?.running || document.hidden) return;
        const state = await api.get(this.path(), this.view.signal).catch(() => null);
        if (state && !this.view.signal.aborted) this.take(state);
    }

    /** @param {Nearby} state */
    take(state) {
        const before = this.state;
        this.state = state;
        const isNew = JSON.stringify(state) !== JSON.stringify(before);
        if (!isNew && !this.isBehind) return;
        if (isNew) this.draw();
        const old = new Set((before?.devices ?? []).filter((one) => one.state === 'connected').map((one) => one.id));
        const come = this.connected.filter((device) => !old.has(device.id));
        if (before && come.length > 0) this.notifyOf(come);
        if (come.length > 0 || state.arrivals !== before?.arrivals) this.isBehind = true;
        this.catchUp();
    }

    /** Exchanges once there is something new, and no other exchange runs. */
    catchUp() {
        if (!this.isBehind || this.connected.length === 0 || this.view.isBusy || !this.view.store.writing) return;
        this.isBehind = false;
        this.view.exchange(true);
    }

    /** A connection closes the picker: it has served. @param {Device[]} devices */
    notifyOf(devices) {
        shell.notify(t('sync.nearbyConnected', { devices: shownList(devices.map((device) => device.name)) }), 'good');
        if (!this.state.devices.some((device) => device.state === 'comparing')) this.picker?.close();
    }

    draw() {
        const { state } = this;
        const names = this.connected.map((device) => device.name);
        fill(this.element, h('p.line', {}, h('h2', {}, t('sync.nearby')), h('span.grow'),
            state.running && button(t('sync.nearbyStop'), () => this.run(false)),
            button(t('sync.nearbyOpen'), () => this.open(), { disabled: !this.view.store.writing })),
        h('p', { role: 'status', data: { connected: names.length } }, !state.running ? t('sync.nearbyOff')
            : names.length > 0 ? t('sync.nearbyConnected', { devices: shownList(names) }) : t('sync.nearbyAlone')));
        if (this.picker) this.drawPicker();
    }

    /** Begins or ends to connect. @param {boolean} running */
    async run(running) {
        await act(async () => {
            this.take(await api.post(this.path(), { running }, this.view.signal));
            return true;
        });
    }

    /** The picker: devices with their state, codes to compare, and a way by address. */
    async open() {
        if (!this.state.running) await this.run(true);
        if (!this.state.running) return;
        const field = uid('address');
        const input = h('input', { id: field, dir: 'ltr', autocomplete: 'off', spellcheck: 'false',
            placeholder: '192.168.0.7:49152' });
        const rows = h('div', { 'aria-live': 'polite' });
        const byAddress = (event) => {
            event.preventDefault();
            if (input.value.trim()) this.post('connect', { address: input.value.trim() });
        };
        await openDialog({
            title: t('sync.nearby'), wide: true,
            body: (close) => {
                this.picker = { rows, close };
                this.drawPicker();
                return h('div', {}, rows,
                    h('form.nearbyaddress', { on: { submit: byAddress } },
                        h('label', { for: field }, t('sync.byAddress')), input,
                        h('button', { type: 'submit' }, t('sync.connect'))));
            },
            actions: [{ text: t('action.cancel'), do: (close) => close() },
                { text: t('action.done'), class: 'primary', do: (close) => close() }],
        });
        this.picker = null;
    }

    drawPicker() {
        const { failure, devices, addresses } = this.state;
        const focused = focusedElement();
        const kept = this.picker.rows.contains(focused) ? focused.dataset.key : null;
        fill(this.picker.rows,
            failure && h('div.failed', { role: 'alert' }, h('p', {}, serverNode(failure.message)),
                h('p.dim', {}, serverNode(failure.cure))),
            devices.length === 0 && !failure && h('p.dim', {}, t('sync.nearbyNone')),
            devices.length > 0 && h('ul.nearby', { 'aria-label': t('sync.nearby') },
                devices.map((device) => this.row(device))),
            addresses.length > 0 && h('p.dim', {}, t('sync.ownAddress'), ' ',
                h('span', { dir: 'ltr' }, addresses.filter((text) => !text.includes('%')).join('  '))));
        if (kept) find(this.picker.rows, `[data-key="${CSS.escape(kept)}"]`)?.focus();
    }

    /** @param {Device} device */
    row(device) {
        const canConnect = ['visible', 'refused', 'lost'].includes(device.state);
        const press = (name, action, body, kind = '') => button(t(`sync.${name}`), () => this.post(action, body),
            { class: `small ${kind}`, data: { key: `${device.id}.${name}` } });
        return h('li', { data: { device: device.id, state: device.state } },
            h('strong', {}, stored(device.name)), h('span.dim', {}, t(`sync.state.${device.state}`)),
            device.code && h('output.code', { 'aria-label': t('sync.code') }, h('bdi', { dir: 'ltr' }, device.code)),
            device.code && h('p', {}, t('sync.compare', { device: device.name })),
            device.code && h('p.line', {}, press('sameCode', 'answer', { device: device.id, same: true }, 'primary'),
                press('otherCode', 'answer', { device: device.id, same: false })),
            device.problem && h('p.dim', {}, serverNode(device.problem)),
            canConnect && press('connect', 'connect', { device: device.id }));
    }

    /** @param {string} action @param {object} body */
    async post(action, body) {
        await act(async () => {
            this.take(await api.post(this.path(action), body, this.view.signal));
            return true;
        });
    }
}

/**
 * Asks with which group a store is to take part, and whether it is the first device.
 * @returns {Promise<?{type: string, group: string, founding: boolean}>}
 */
export function askForGroup() {
    const [type, group, first] = [uid('type'), uid('group'), uid('first')];
    const field = (id, extra) => h('input', { id, dir: 'ltr', autocomplete: 'off', spellcheck: 'false', ...extra });
    const typeInput = field(type, { maxlength: 15, pattern: '[a-z0-9\\-]{1,15}', required: true });
    const groupInput = field(group, { maxlength: 100 });
    const founding = h('input', { id: first, type: 'checkbox' });
    const done = (close) => {
        if (!typeInput.reportValidity()) return;
        close({ type: typeInput.value, group: groupInput.value, founding: founding.checked });
    };
    return openDialog({
        title: t('sync.nearbyJoin'),
        body: (close) => h('form.nearbygroup', {
            on: { submit: (event) => { event.preventDefault(); done(close); } } },
        h('label', { for: type }, t('sync.type')), typeInput, h('p.dim', {}, t('sync.typeHint')),
        h('label', { for: group }, t('sync.group')), groupInput,
        h('label', { for: first }, founding, ' ', t('sync.first')), h('p.dim', {}, t('sync.firstHint'))),
        actions: [{ text: t('action.cancel'), do: (close) => close() },
            { text: t('sync.join'), class: 'primary', do: done }],
    });
}
