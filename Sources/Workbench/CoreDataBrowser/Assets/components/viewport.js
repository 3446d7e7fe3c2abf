/**
 * A place that scrolls over any number of lines.
 *
 * A person's browser lays out about 15 million pixels. Beyond that the height is scaled: small movements move by lines
 * as if the height were whole, jumps of the scroll bar move to the proportional place.
 */
const tallest = 12_000_000;

export class Viewport {
    /**
     * @param {HTMLElement} scroller
     * @param {HTMLElement} layer sticks to the top of the scroller
     * @param {number} line height of a line
     */
    constructor(scroller, layer, line) {
        this.scroller = scroller;
        this.layer = layer;
        this.line = line;
        this.count = 0;
        /** Where the top of what is shown lies, in pixels of the unscaled height. */
        this.top = 0;
        this.last = 0;
        scroller.addEventListener('scroll', () => this.follow(), { passive: true });
    }

    /**
     * The height of the names of columns, below which the layer sticks (its offset does not help: it moves with the
     * scroll).
     */
    get head() { return 32; }
    get height() { return Math.max(this.line, this.scroller.clientHeight - this.head); }
    get whole() { return this.count * this.line; }
    get isScaled() { return this.whole > tallest; }
    get room() { return Math.max(0, this.whole - this.height); }
    get scaledRoom() { return Math.max(1, Math.min(this.whole, tallest) - this.height); }

    /** Sets the number of lines. */
    resize(count) {
        this.count = count;
        this.layer.style.setProperty('--pane', `${this.height}px`);
        this.layer.parentElement.style.setProperty('--tall', `${Math.min(this.whole, tallest)}px`);
        this.top = Math.min(this.top, this.room);
    }

    follow() {
        const at = this.scroller.scrollTop;
        const moved = at - this.last;
        this.last = at;
        if (!this.isScaled) this.top = Math.min(at, this.room);
        else if (Math.abs(moved) < this.height * 2 && at > 0 && at < this.scaledRoom) {
            this.top = Math.max(0, Math.min(this.room, this.top + moved));
        } else this.top = (at / this.scaledRoom) * this.room;
    }

    /** Scrolls to a place in pixels of the unscaled height. */
    to(top) {
        this.top = Math.max(0, Math.min(this.room, top));
        this.last = this.isScaled ? (this.top / this.room) * this.scaledRoom : this.top;
        this.scroller.scrollTop = this.last;
        this.last = this.scroller.scrollTop;
    }

    /** Brings a line into view; does nothing where it is. */
    reveal(index) {
        const y = index * this.line;
        if (y < this.top) this.to(y);
        else if (y + this.line > this.top + this.height) this.to(y + this.line - this.height);
    }

    /** The first and last line in view. */
    get range() {
        return [Math.max(0, Math.floor(this.top / this.line)),
            Math.min(this.count - 1, Math.ceil((this.top + this.height) / this.line))];
    }

    /** Where a line lies below the layer's top. */
    y(index) { return index * this.line - this.top; }
}
