/** The place of a map that is in sight: a centre and how many degrees it is wide; half of that is its height. */

const most = 360;
const least = 0.0005;
const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const within = (value, low, high) => Math.min(Math.max(value, low), high);
/** A longitude from -180 to 180. */
export const wrapped = (degrees) => degrees - 360 * Math.floor((degrees + 180) / 360);
export const rounded = (value) => Math.round(value * 1e6) / 1e6;

export class MapView {
    longitude = 0;
    latitude = 0;
    span = most;

    /** Shows a box: west, south, east, north. @param {number[]} box */
    show(box, room = 1) {
        const [west, south, east, north] = box;
        const width = west > east ? east - west + 360 : east - west;
        this.span = within(Math.max(width, 2 * (north - south)) * room, least * 10, most);
        this.longitude = wrapped(west + width / 2);
        this.latitude = (south + north) / 2;
        this.hold();
    }

    /** Moves by parts of what is in sight. */
    move(right, up) {
        this.longitude = wrapped(this.longitude + right * this.span);
        this.latitude += up * this.span / 2;
        this.hold();
    }

    /** Makes what is in sight smaller by a factor, around a point that is given in parts from the centre. */
    zoom(factor, right = 0, up = 0) {
        const span = within(this.span / factor, least, most);
        const change = this.span - span;
        this.span = span;
        this.longitude = wrapped(this.longitude + right * change);
        this.latitude += up * change / 2;
        this.hold();
    }

    hold() {
        const room = Math.max(90 - this.span / 4, 0);
        this.latitude = within(this.latitude, -room, room);
        if (this.span >= most) this.longitude = 0;
    }

    get box() {
        const [half, quarter] = [this.span / 2, this.span / 4];
        const sides =
            this.span >= most ? [-180, 180] : [wrapped(this.longitude - half), wrapped(this.longitude + half)];
        return [sides[0], within(this.latitude - quarter, -90, 90), sides[1], within(this.latitude + quarter, -90, 90)]
            .map(rounded);
    }

    /** Where a point is, in hundredths of what is in sight. */
    place(longitude, latitude) {
        return { '--x': `${50 + (wrapped(longitude - this.longitude) / this.span) * 100}%`,
            '--y': `${50 - ((latitude - this.latitude) / this.span) * 200}%` };
    }

    /** The part of the drawing that is in sight; north is up, and a degree is a unit. */
    get viewBox() {
        return [this.longitude - this.span / 2, -this.latitude - this.span / 4, this.span, this.span / 2].join(' ');
    }

    /** The meridians and parallels that are drawn. */
    get lines() {
        const step = steps.find((s) => this.span / s >= 4) ?? steps.at(-1);
        const from = (middle, half) => {
            const first = Math.ceil((middle - half) / step);
            return Array.from({ length: Math.floor((middle + half) / step) - first + 1 },
                (_, i) => rounded((first + i) * step));
        };
        return { meridians: from(this.longitude, this.span / 2),
            parallels: from(this.latitude, this.span / 4).filter((p) => Math.abs(p) < 90) };
    }

    wrap(longitude) { return rounded(wrapped(longitude)); }
}
