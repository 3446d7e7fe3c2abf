/** Numbers that people type: what is sent is exactly what was typed, or it is refused with a reason. */
import { t } from './i18n.js';

const bits = { integer16: 16n, integer32: 32n, integer64: 64n };
const form = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** How many digits a Decimal of Foundation has, and the bounds of its exponent. */
const [decimalDigits, leastExponent, greatestExponent] = [38, -128, 127];

/** What is a value of a type without having digits. */
const reals = ['NaN', 'Infinity', '-Infinity'];
const special = { decimal: ['NaN'], double: reals, float: reals };

/** The digits of a number without zeros at its ends, and the power of ten of the last one. */
function parts(text) {
    const [, whole, fraction, exponent] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
    const all = (whole + fraction).replace(/^0+/, '');
    const digits = all.replace(/0+$/, '');
    return { digits, exponent: digits === '' ? 0n
        : BigInt(exponent ?? 0) - BigInt(fraction.length) + BigInt(all.length - digits.length) };
}

const same = (one, other) => one.digits === other.digits && one.exponent === other.exponent;

/** The shortest text of a number of 32 bits that leads back to it. */
function shortFloat(number) {
    for (let count = 1; count < 9; count++) {
        if (Math.fround(Number(number.toPrecision(count))) === number) return String(Number(number.toPrecision(count)));
    }
    return String(Number(number.toPrecision(9)));
}

function whole(type, text) {
    if (!/^[+-]?\d+$/.test(text)) throw new Error(t('value.notWhole'));
    const number = BigInt(text.replace(/^\+/, ''));
    const end = 1n << (bits[type] - 1n);
    if (number < -end || number >= end) {
        throw new Error(t('value.outOfRange', { least: String(-end), greatest: String(end - 1n) }));
    }
    // Texts of digits stand for what a number of JavaScript does not hold.
    return Number.isSafeInteger(Number(number)) ? Number(number) : String(number);
}

function real(type, text) {
    const number = type === 'float' ? Math.fround(Number(text)) : Number(text);
    if (!Number.isFinite(number)) {
        throw new Error(t('value.tooLarge',
            { greatest: type === 'float' ? '3.4028235e38' : '1.7976931348623157e308' }));
    }
    const typed = parts(text);
    if (number === 0 && typed.digits !== '') throw new Error(t('value.tooSmall'));
    const kept = type === 'float' ? shortFloat(number) : String(number);
    if (!same(typed, parts(kept))) throw new Error(t('value.notExact', { kept }));
    return Number(text);
}

function decimal(text) {
    const { digits, exponent } = parts(text);
    if (digits.length > decimalDigits) throw new Error(t('value.tooManyDigits', { greatest: decimalDigits }));
    if (exponent < leastExponent || exponent + BigInt(Math.max(digits.length - decimalDigits, 0)) > greatestExponent) {
        throw new Error(t('value.decimalExponent', { least: leastExponent, greatest: greatestExponent }));
    }
    return text;
}

/**
 * The value of a numeric attribute for what was typed.
 * @param {string} type @param {string} text without spaces around it @returns {number|string}
 * @throws {Error} for another text, and for a number that the type does not hold exactly, with a text for people.
 */
export function typedNumber(type, text) {
    if (bits[type]) return whole(type, text);
    // JSON has texts for these; the server refuses what the store would not keep.
    const written = text.replace('∞', 'Infinity');
    if (special[type]?.includes(written)) return written;
    if (!form.test(text)) throw new Error(t('value.notNumber'));
    return type === 'decimal' ? decimal(text) : real(type, text);
}

/** The first number in a text of JSON that JavaScript would change; null where there is none. */
export function inexactNumber(json) {
    for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
        if (part.startsWith('"')) continue;
        const number = Number(part);
        if (!Number.isFinite(number) || !same(parts(part), parts(String(number)))) return part;
    }
    return null;
}
