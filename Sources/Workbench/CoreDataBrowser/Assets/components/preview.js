/** A card with the first values of an object, beside links that the pointer or the focus rests on. */
import { h, fill, debounce, stored } from '../base/dom.js';
import { api } from '../base/api.js';

const card = h('div.previewcard', { role: 'tooltip', hidden: true, id: 'preview' });

/** Shows previews of links below an element until the signal. */
export function previews(element, store, signal) {
    if (!card.isConnected) document.body.append(card);
    let wanted = null;
    const show = debounce(350, async (anchor) => {
        const reply = await api.get(`/stores/${store.id}/objects/${anchor.dataset.preview}/preview`, signal)
            .catch(() => null);
        if (!reply || wanted !== anchor || !anchor.isConnected) return;
        fill(card, h('strong', {}, stored(reply.label)),
            h('dl', {}, reply.lines.map((l) => [h('dt', {}, stored(l.name)), h('dd', {}, stored(l.text ?? 'nil'))])));
        card.hidden = false;
        const frame = anchor.getBoundingClientRect();
        card.style.left = `${Math.max(8, Math.min(frame.left, innerWidth - card.offsetWidth - 8))}px`;
        card.style.top = frame.bottom + card.offsetHeight + 8 < innerHeight ? `${frame.bottom + 6}px`
            : `${Math.max(8, frame.top - card.offsetHeight - 6)}px`;
        anchor.setAttribute('aria-describedby', card.id);
    });
    const begin = (e) => {
        const anchor = e.target instanceof Element ? e.target.closest('[data-preview]') : null;
        if (!anchor || anchor === wanted) return;
        wanted = anchor;
        show(anchor);
    };
    const end = () => { wanted = null; show.cancel(); card.hidden = true; };
    for (const name of ['pointerover', 'focusin']) element.addEventListener(name, begin, { signal });
    for (const name of ['pointerout', 'focusout', 'click']) element.addEventListener(name, end, { signal });
    addEventListener('keydown', (e) => e.key === 'Escape' && end(), { signal });
    signal.addEventListener('abort', end);
}
