/** A colour by four sliders. */
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { colorOf } from '../base/format.js';

const parts = ['red', 'green', 'blue', 'alpha'];

export function colorField(row, value, id) {
    const numbers = Array.isArray(value) ? [...value] : [...(row.color ?? [1, 1, 1, 1])];
    // A colour that was none stays none until a slider is moved; a stored one of another form stays as it is.
    let untouched = { value };
    const swatch = h('i.swatch.wideswatch', { 'aria-hidden': 'true' });
    const show = () => swatch.style.setProperty('--swatch', colorOf(numbers) ?? '#fff');
    const sliders = parts.map((name, i) => h('input', { type: 'range', min: 0, max: 1, step: 0.01,
        id: i === 0 ? id : null, 'aria-label': `${row.label}: ${t(`app.${name}`)}`, is: { value: String(numbers[i]) },
        on: { input: (e) => { numbers[i] = Number(e.target.value); untouched = null; show(); } } }));
    show();
    const element = h('div.sliders', { role: 'group', 'aria-label': row.label }, swatch,
        sliders.map((slider, i) => h('label', {}, h('span', {}, t(`app.${parts[i]}`)), slider)));
    // Whoever listens for the field's end hears it from the first slider.
    for (const slider of sliders.slice(1)) {
        slider.addEventListener('change', () => sliders[0].dispatchEvent(new Event('change')));
    }
    const set = (v) => {
        untouched = Array.isArray(v) ? null : { value: v };
        (Array.isArray(v) ? v : row.color ?? [1, 1, 1, 1]).forEach(
            (n, i) => { numbers[i] = n; sliders[i].value = String(n); });
        show();
    };
    return { control: sliders[0], element, read: () => (untouched ? untouched.value : [...numbers]), set };
}
