/** The field of a statement: completion of tables, columns and functions, each with what it is in the model. */
import { afterPress, h, fill, uid } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { serverText } from '../base/serverTexts.js';
import { meaningText } from './resultTable.js';

const keywords = ['SELECT', 'FROM', 'WHERE', 'ORDER BY', 'GROUP BY', 'HAVING', 'LIMIT', 'JOIN', 'LEFT JOIN', 'ON',
    'AND', 'OR', 'NOT', 'NULL', 'IS', 'IN', 'LIKE', 'BETWEEN', 'AS', 'DISTINCT', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END',
    'WITH', 'UNION ALL', 'EXPLAIN QUERY PLAN', 'DESC', 'ASC', 'EXISTS', 'CAST', 'COLLATE', 'PRAGMA'];
const word = /[\p{L}_$][\p{L}\p{N}_$]*$/u;

/**
 * What may stand at the caret: columns of a named table after a dot, else columns of the tables in the text, tables,
 * words.
 */
export function completions(schema, text, caret) {
    const before = text.slice(0, caret);
    const begun = word.exec(before)?.[0] ?? '';
    const from = caret - begun.length;
    const owner = /([\p{L}_$][\p{L}\p{N}_$]*)\.$/u.exec(before.slice(0, from))?.[1];
    const tables = aliases(schema, text);
    const column = (table) =>
        (c) => ({ text: c.name, kind: 'column', detail: meaningText(c), table: table.name, from, to: caret });
    const fits = (o) => o.text.toLowerCase().startsWith(begun.toLowerCase())
        || (o.words ?? o.detail ?? '').toLowerCase().split(/[.\s]/)
            .some((part) => begun && part.startsWith(begun.toLowerCase()));
    let all;
    if (owner) {
        const table = tables.get(owner.toLowerCase());
        all = table ? table.columns.map(column(table)) : [];
    } else if (!begun) {
        all = /\b(from|join)\s+$/i.test(before) ? tableOptions(schema, from, caret) : [];
    } else {
        const used = [...new Set(tables.values())];
        all = [...used.flatMap((table) => table.columns.map(column(table))), ...tableOptions(schema, from, caret),
            ...schema.functions.map((name) => ({ text: name, kind: 'function', detail: '', from, to: caret })),
            ...keywords.map((name) => ({ text: name, kind: 'word', detail: '', from, to: caret }))];
        if (/\b(from|join)\s+$/i.test(before.slice(0, from))) all = tableOptions(schema, from, caret);
    }
    const found = all.filter((o) => fits(o) && o.text !== begun);
    const rank = (o) => 2 * ['column', 'table', 'function', 'word'].indexOf(o.kind)
        + (o.text.toLowerCase().startsWith(begun.toLowerCase()) ? 0 : 1);
    return found.sort((a, b) => rank(a) - rank(b))
        .filter((o, i, list) => list.findIndex((x) => x.text === o.text && x.kind === o.kind) === i).slice(0, 60);
}

const tableOptions = (schema, from, to) =>
    schema.tables.map((table) => ({ text: table.name, kind: 'table', detail: table.entity ?? '', from, to }));

/** The tables of a text by their names and by the names that it gives them. */
function aliases(schema, text) {
    const found = new Map();
    const byName = new Map(schema.tables.map((table) => [table.name.toLowerCase(), table]));
    for (const [, name, alias] of text.matchAll(
        /\b(?:from|join|,)\s*"?([\p{L}_$][\p{L}\p{N}_$]*)"?(?:\s+(?:as\s+)?([\p{L}_$][\p{L}\p{N}_$]*))?/giu)) {
            const table = byName.get(name.toLowerCase());
            if (!table) continue;
            found.set(name.toLowerCase(), table);
            if (alias) found.set(alias.toLowerCase(), table);
        }
    return found;
}

/**
 * @param {{value: string, schema: any, label: string, changed: () => void, run: () => void}} options
 */
export function sqlField({ value, schema, label, changed, run }) {
    const list = h('ul.completions', { role: 'listbox', id: uid('completions'), hidden: true,
        'aria-label': t('predicate.completions') });
    const error = h('div.predicateerror', { role: 'alert', id: uid('error') });
    const input = h('textarea.mono.sqltext', {
        spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', 'aria-label': label,
        'aria-autocomplete': 'list', 'aria-controls': list.id,
        'aria-describedby': error.id, rows: '5', placeholder: t('sql.placeholder'), dir: 'ltr', is: { value },
    });
    let [options, chosen] = [[], -1];

    const close = () => { list.hidden = true; input.removeAttribute('aria-activedescendant'); chosen = -1; };
    function offer() {
        options = input.selectionStart === input.selectionEnd ? completions(schema, input.value, input.selectionStart)
            : [];
        close();
        list.hidden = !options.length;
        fill(list, options.map((o, i) => h('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': 'false',
            on: { pointerdown: (e) => { e.preventDefault(); take(o); } } },
            h('span.kind', { 'aria-hidden': 'true' }, o.kind.slice(0, 1)), h('bdi', {}, o.text),
            o.detail && h('span.dim', {}, h('bdi', {}, o.detail)))));
    }
    function move(step) {
        const items = [...list.children];
        chosen = chosen < 0 ? (step > 0 ? 0 : items.length - 1) : (chosen + step + items.length) % items.length;
        items.forEach((item, i) => item.setAttribute('aria-selected', String(i === chosen)));
        items[chosen].scrollIntoView({ block: 'nearest' });
        input.setAttribute('aria-activedescendant', items[chosen].id);
    }
    function insert(text, from = input.selectionStart, to = input.selectionEnd) {
        input.focus();
        input.setRangeText(text, from, to, 'end');
        close();
        changed();
    }
    const take = (o) => insert(o.text, o.from, o.to);

    input.addEventListener('input', () => { offer(); changed(); });
    input.addEventListener('blur', () => afterPress(() => document.activeElement !== input && close()));
    input.addEventListener('click', close);
    input.addEventListener('keydown', (e) => {
        if (e.key === 'Enter'
            && (e.ctrlKey || e.metaKey)) { close(); run(); } else if (e.key === ' ' && e.ctrlKey) offer();
            else if (list.hidden) return;
            else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') move(e.key === 'ArrowDown' ? 1 : -1);
            else if ((e.key === 'Enter' || e.key === 'Tab') && chosen >= 0) take(options[chosen]);
            else if (e.key === 'Escape') close();
            else return;
        e.preventDefault();
        e.stopPropagation();
    });

    return {
        element: h('div.combo', {}, input, list, error), input, insert,
        /** Shows what is wrong, with the line and a mark below the place; null for nothing. */
        showProblem(problem) {
            input.setAttribute('aria-invalid', String(Boolean(problem)));
            fill(error, problem && [problem.excerpt && h('pre', { 'aria-hidden': 'true', dir: 'ltr' }, problem.excerpt),
                h('span', {}, h('bdi', {}, serverText(problem.reason)),
                    typeof problem.position === 'number'
                        && [' ', h('span.dim', {}, t('predicate.at', { position: problem.position + 1 }))]),
                problem.hint && h('p.dim', {}, h('bdi', {}, serverText(problem.hint)))]);
        },
    };
}
