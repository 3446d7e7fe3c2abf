/** The whole of a text that ends in an ellipsis, shown where the pointer rests on it. */

const isCut = (element) => element.scrollWidth > element.clientWidth
    && getComputedStyle(element).textOverflow === 'ellipsis';

/** Gives what is cut a title as long as it is cut; a title that says something else stays. */
export function hint({ target }) {
    for (let element = target, steps = 0;
        element instanceof HTMLElement && steps < 3;
        element = element.parentElement, steps += 1) {
            if (element.title && !element.dataset.hinted) return;
            if (isCut(element)) {
                element.title = element.textContent;
                element.dataset.hinted = 'yes';
                return;
            }
            if (element.dataset.hinted) {
                element.removeAttribute('title');
                delete element.dataset.hinted;
            }
        }
}

export const bindHints = () => document.addEventListener('pointerover', hint, { passive: true });
