"""Charts of the page of promises as SVG: readable in light and dark surroundings, and in words. See Scripts/report."""
import html
import math
import xml.etree.ElementTree

WIDTH, LABEL, ROW, TOP = 860, 300, 30, 64
# Outcomes from the best to the worst, each with its color in light and in dark; red is kept for those that break a promise.
OUTCOMES = {
    "same": ("#2f6fb5", "#5b9bdc"), "former": ("#2f6fb5", "#5b9bdc"), "new": ("#1f8a70", "#3cb596"),
    "refused": ("#b98a1d", "#d9ad45"), "reported": ("#9a6b12", "#b8892d"), "explained": ("#7b6aa8", "#a493d1"),
    "checked": ("#5b4a8a", "#8674bd"),
}
FAILED = ("#c62828", "#ff6b6b")
MEANINGS = {"same": "as in the sound store", "former": "the state before", "new": "the state after", "refused": "an error that says why",
            "reported": "opened, damage told", "explained": "in the damaged value itself", "checked": "found by the check of the file"}


def order(outcome):
    return list(OUTCOMES).index(outcome) if outcome in OUTCOMES else len(OUTCOMES)


def escaped(text):
    return html.escape(str(text), quote=False)


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""} text-anchor="{anchor}">{escaped(words)}</text>'


def drawing(height, title, description, body):
    """A picture with its own surface, since a page in a dark theme may show it to readers of a light system."""
    colors = [(f"o{n}", pair) for n, pair in enumerate(OUTCOMES.values())] + [("bad", FAILED), ("bar", ("#2f6fb5", "#5b9bdc"))]
    css = ["text{font:13px system-ui,sans-serif;fill:#24292f}", ".s{font-size:12px;fill:#57606a}", ".h{font-size:15px;font-weight:600}",
           ".g{fill:#ffffff;stroke:#d0d7de}", ".l{stroke:#8c959f}", ".m{stroke:#24292f;stroke-width:2}"]
    css += [f".{name}{{fill:{light}}}" for name, (light, _) in colors]
    dark = ["text{fill:#d7dde4}", ".s{fill:#98a3af}", ".g{fill:#161b22;stroke:#3d444d}", ".l{stroke:#6e7681}", ".m{stroke:#d7dde4}"]
    dark += [f".{name}{{fill:{color}}}" for name, (_, color) in colors]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        'aria-labelledby="title text">', f'<title id="title">{escaped(title)}</title>', f'<desc id="text">{escaped(description)}</desc>',
        f"<style>{''.join(css)}@media (prefers-color-scheme:dark){{{''.join(dark)}}}</style>",
        f'<rect class="g" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>', text(16, 28, title, "h"), *body, "</svg>", ""])


def torture(found, kinds):
    """A row for each kind of trial, divided by outcomes; what broke a promise stands in words at its end."""
    rows = [(title, found[name]) for name, title in kinds.items() if name in found]
    room, y, body, words = WIDTH - LABEL - 230, TOP, [], []
    for title, figure in rows:
        body.append(text(16, y + 15, title))
        x = float(LABEL)
        for outcome in sorted(figure["outcomes"], key=order):
            share = figure["outcomes"][outcome] / figure["trials"] * room
            kind = f"o{order(outcome)}" if outcome in OUTCOMES else "bad"
            # A failure is seen however rare it is.
            drawn = max(share, 3) if kind == "bad" else share
            body.append(f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{max(drawn - 1, 0.5):.1f}" height="20"><title>'
                        f"{escaped(outcome)}: {figure['outcomes'][outcome]:,}</title></rect>")
            x += drawn
        failed = f"{figure['failed']:,} failed"
        body.append(text(WIDTH - 16, y + 15, f"{figure['trials']:,} trials, {failed}", anchor="end"))
        words.append(f"{title}: {figure['trials']:,} trials, {failed}; "
                     + ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(figure["outcomes"].items(), key=lambda i: order(i[0]))))
        y += ROW
    y += 14
    used = [outcome for outcome in OUTCOMES if any(outcome in figure["outcomes"] for _, figure in rows)]
    for n, outcome in enumerate(used):
        x, line = 16 + n % 3 * 280, y + n // 3 * 22
        body += [f'<rect class="o{order(outcome)}" x="{x}" y="{line}" width="12" height="12" rx="2"/>',
                 text(x + 18, line + 11, f"{outcome}: {MEANINGS[outcome]}", "s")]
    height = y + math.ceil(len(used) / 3) * 22 + 12
    return drawing(height, "What was tried, and how it ended", ". ".join(words) + ".", body)


def speed(rows):
    """A bar for each piece of work, as long as its ratio to plain C, which is the line at 1."""
    rows = [row for row in rows if row.get("rawSeconds")]
    greatest = max([row["ratio"] for row in rows] + [2])
    left, room = 430, WIDTH - 430 - 80
    scale = room / greatest
    y, body, words = TOP + 14, [], []
    for row in rows:
        name = row["name"] if len(row["name"]) <= 62 else row["name"][:61] + "…"
        body += [text(16, y + 14, name, "s"), f'<rect class="bar" x="{left}" y="{y}" width="{row["ratio"] * scale:.1f}" height="18" rx="2"/>',
                 text(left + row["ratio"] * scale + 6, y + 14, f"{row['ratio']:.1f}")]
        words.append(f"{row['name']}: {row['ratio']:.1f} times the time of plain C")
        y += ROW - 4
    body += [f'<path class="m" d="M{left + scale:.1f} {TOP}V{y}"/>', text(left + scale, TOP - 6, "plain C", "s", "middle")]
    return drawing(y + 16, "Time beside plain C against SQLite; shorter is better", ". ".join(words) + ".", body)


def self_test(svg, words):
    """The picture is well-formed, needs nothing else, and says in words what it shows."""
    root = xml.etree.ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    described = root.find(name + "desc").text
    assert all(word in described for word in words), described
    assert root.get("role") == "img" and root.find(name + "title").text
    assert "prefers-color-scheme:dark" in root.find(name + "style").text and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
