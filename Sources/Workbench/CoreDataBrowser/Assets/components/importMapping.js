/**
 * The editor of a mapping: where the records lie, their entity, and where the values of its properties come from, as a
 * table; all that a mapping can say as the text of a property list.
 */
import { h, fill, button, debounce, stored } from '../base/dom.js';
import { api } from '../base/api.js';
import { t } from '../base/i18n.js';
import { conversionKind, conversionNames, conversionOf, furtherKeys, isRelated, pathOf, withConversion, withPath }
    from '../base/mappings.js';
import { entityChoice, settable } from './importParts.js';
import { failure, loading } from './states.js';

export class ImportMapping {
    /** @param {import('../base/store.js').StoreInfo} store @param {any} sent @param {string} path */
    constructor(store, sent, path) {
        this.store = store;
        this.sent = sent;
        this.path = path;
        /** @type {Record<string, any> | null} */
        this.mapping = null;
        this.problem = h('div', { 'aria-live': 'polite' });
        this.table = h('div');
        this.text = h('textarea', { 'aria-label': t('import.mappingText'), spellcheck: 'false', dir: 'ltr',
            on: { change: () => this.ask({ mapping: { text: this.text.value } }) } });
        this.text.rows = 16;
        const file = h('input', { type: 'file', accept: '.plist,.txt', 'aria-label': t('import.mappingFile'),
            on: { change: () => file.files[0] && this.read(file.files[0]) } });
        this.element = h('div', {}, this.problem, this.table,
            h('details.mappingtext', {}, h('summary', {}, t('import.mappingText')), this.text,
                h('p.dim', {}, t('import.mappingTextHint'))),
            h('p', {}, h('label', {}, t('import.mappingFile'), ' ', file)));
        /** Compares with the model what was changed in the table, and takes over the text of it. */
        this.check = debounce(300, () => this.ask({ mapping: this.mapping }));
        this.guess(sent.asked ?? null);
    }

    /** Takes the mapping for which names and values speak. @param {?string} entity */
    guess(entity) {
        fill(this.table, loading());
        return this.ask({ format: this.sent.format, entity });
    }

    async read(file) { await this.ask({ mapping: { text: await file.text() } }); }

    /** Asks the server for a mapping, or what it says of one; what is wrong stays to be corrected. */
    async ask(body) {
        const question = this.question = Symbol('question');
        try {
            const reply = await api.post(this.path, { file: this.sent.file, ...body });
            if (this.question !== question) return;
            this.text.value = reply.text;
            fill(this.problem);
            // Fields go on changing the mapping that they were made of.
            if (body.mapping && body.mapping === this.mapping) return;
            this.mapping = reply.mapping;
            this.draw();
        } catch (error) {
            if (this.question !== question) return;
            fill(this.problem, failure(error));
            if (!this.mapping) {
                this.mapping = { format: this.sent.format, entity: body.entity ?? '', properties: {} };
                this.draw();
            }
        }
    }

    /** Changes the mapping by what a field says, and draws the table again where its rows are others. */
    change(work, isOther = false) {
        work();
        if (isOther) this.draw();
        this.check();
    }

    draw() {
        const { mapping } = this;
        if (mapping.records || typeof mapping.entity !== 'string') {
            fill(this.table, h('p', {}, t('import.mappingComplex')));
            return;
        }
        const at = h('input.mono', { type: 'text', 'aria-label': t('import.at'), is: { value: mapping.at ?? '' },
            placeholder: t('import.atHint'), spellcheck: 'false', dir: 'ltr',
            on: { input: () => this.change(() => {
                if (at.value.trim()) mapping.at = at.value.trim();
                else delete mapping.at;
            }) } });
        fill(this.table,
            h('div.formgrid', {}, h('span', {}, t('import.entity')),
                entityChoice(this.store, mapping.entity, (name) => this.guess(name)),
                h('span', {}, t('import.at')), at, h('span', {}, t('import.match')), this.matchChoice()),
            h('table.mappingrows', { 'aria-label': t('import.mapping') },
                h('thead', {}, h('tr', {}, ['property', 'from', 'conversion'].map((k) =>
                    h('th', { scope: 'col' }, t(`import.${k}`))), h('td'))),
                h('tbody', {}, this.rows(mapping.properties, mapping.entity, 0))));
    }

    matchChoice() {
        const { mapping } = this;
        const given = Array.isArray(mapping.match) ? mapping.match.join(', ') : mapping.match ?? 'constraint';
        const names = Object.keys(mapping.properties).filter((n) => !isRelated(mapping.properties[n]));
        const options = [['constraint', t('import.matchConstraint')], ['none', t('import.matchNone')],
            ...names.map((n) => [n, n])];
        if (!options.some(([value]) => value === given)) options.push([given, given]);
        const select = h('select', { 'aria-label': t('import.match'), on: { change: () => this.change(() => {
            if (select.value === 'constraint') delete mapping.match;
            else mapping.match = select.value.includes(', ') ? select.value.split(', ') : select.value;
        }) } }, options.map(([value, text]) => h('option', { value, selected: value === given }, text)));
        return select;
    }

    /** The rows of an entity's properties, and of the objects that they lead to. */
    rows(properties, entityName, level) {
        const entity = this.store.entities.get(entityName);
        const free = settable(entity).filter((n) => !(n in properties));
        return [...Object.keys(properties).sort().flatMap((name) =>
            this.row(properties, name, entityName, free, level)),
        free.length > 0 && h('tr', { vars: { '--level': level } }, h('td', {},
            h('select', { 'aria-label': t('import.addProperty'), on: { change: (event) => this.change(() => {
                const name = event.target.value;
                const related = entity.relationships.find((r) => r.name === name);
                properties[name] = related ? { from: name, properties: {} } : name;
            }, true) } }, h('option', { value: '' }, t('import.addProperty')), free.map((n) => h('option', {}, n)))),
        h('td'), h('td'), h('td'))];
    }

    row(properties, name, entityName, free, level) {
        const rule = properties[name];
        const property = this.store.property(entityName, name);
        const type = property?.kind === 'attribute' ? property.type : '';
        const path = h('input.mono', { type: 'text', 'aria-label': t('import.fromOf', { name }), spellcheck: 'false',
            dir: 'ltr', is: { value: rule.constant !== undefined ? rule.constant : pathOf(rule) },
            on: { input: () => this.change(() => {
                const now = properties[name];
                if (now.constant !== undefined) now.constant = path.value;
                else properties[name] = withPath(now, path.value);
            }) } });
        const remove = button('✕', () => this.change(() => { delete properties[name]; }, true),
            { class: 'plain small', 'aria-label': t('import.removeProperty', { name }) });
        const rename = h('select', { 'aria-label': t('import.property'), on: { change: () => this.change(() => {
            properties[rename.value] = properties[name];
            delete properties[name];
        }, true) } }, [name, ...free.filter((n) => !isRelated(rule)
            || this.store.property(entityName, n)?.kind === 'relationship')].map((n) => h('option', {}, n)));
        const line = h('tr', { vars: { '--level': level }, data: { property: name } }, h('td', {}, rename),
            h('td', {}, path), h('td', {}, isRelated(rule) ? h('span.dim', {}, t('import.related'))
                : this.conversion(properties, name, type)), h('td', {}, remove));
        return isRelated(rule)
            ? [line, ...this.rows(rule.properties, rule.entity ?? property?.destination ?? '', level + 1)] : [line];
    }

    conversion(properties, name, type) {
        const rule = properties[name];
        const chosen = conversionOf(rule, type);
        const kind = conversionKind(type);
        const further = furtherKeys(rule);
        const options = conversionNames(type).map((n) => [n, t(`import.conversion.${kind || 'text'}.${n || 'usual'}`)]);
        if (type === 'date') options.push(['pattern', t('import.conversion.date.pattern')]);
        if (chosen === null) options.push(['?', t('import.conversion.asText')]);
        const pattern = h('input.mono', { type: 'text', placeholder: 'dd.MM.yyyy', dir: 'ltr', spellcheck: 'false',
            'aria-label': t('import.patternOf', { name }), hidden: chosen !== 'pattern',
            is: { value: chosen === 'pattern' && typeof rule === 'object' ? rule.date : '' },
            on: { input: () => set() } });
        const select = h('select', { 'aria-label': t('import.conversionOf', { name }), on: { change: () => set() } },
            options.map(([value, text]) => h('option', { value, selected: value === (chosen ?? '?') }, text)));
        const set = () => {
            pattern.hidden = select.value !== 'pattern';
            if (select.value === '?' || select.value === 'pattern' && !pattern.value) return;
            this.change(() => {
                properties[name] = withConversion(properties[name], type, select.value, pattern.value);
            });
        };
        return [options.length > 1 && select, pattern,
            further.length > 0 && h('span.tag', {}, stored(further.join(', ')))];
    }

    body() { return { mapping: this.mapping ?? { text: this.text.value } }; }
}
