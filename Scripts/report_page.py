"""The page of the project's promises: its text, its charts, and whether the tests that it names exist. See Scripts/report."""
import functools
import json
import pathlib
import re
import sys
import tempfile

import report_charts

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST = re.compile(r'@Test\b(?:(?!\bfunc\b|\n\n).){0,4000}?\bfunc\s+(\w+)', re.S)
HEAD = """# Promises

What the project promises, the tests that hold each promise, and the last figures. `make report` takes the figures and writes this
page; `make report ONLY=torture` takes some of them again (`torture`, `bench`, `conformance`, `tests`, `soak`, `days`). `make check` fails when a test
that is named here does not exist, when this page, the README or [Performance.md](Performance.md) says another figure than the last one, and
when a ratio is more than a tenth above its bar. All tests that are named run in `make test`, long ones as a sample that `make soak` and `make torture` extend.
"""
# What the kinds of trials are called, in the order of the table.
KINDS = {"flips": "flipped bytes", "truncations": "truncations", "faults": "failing calls of the file system",
         "memory": "failing allocations", "kills": "kills", "migrations": "of these, during migrations"}
# Of each kind of figure that a promise names: the part that takes it, and its entries.
NAMED = {"torture.flips": ["flips"], "torture.truncations": ["truncations"], "torture.kills": ["kills"],
         "torture.faults": ["faults", "memory"], "torture.migrations": ["migrations"]}


@functools.cache
def functions(path):
    """The tests of a file."""
    return set(TEST.findall(path.read_text()))


def place(name, root=ROOT):
    """The file that has a test, which is named as 'Target/File/function'; None if there is none."""
    target, file, function = name.split("/")
    for path in sorted((root / "Tests" / target).rglob(file + ".swift")):
        if function in functions(path):
            return path.relative_to(root)
    return None


def promises(root=ROOT):
    return json.loads((root / "Docs/Promises/promises.json").read_text())


def number(value):
    return f"{value:,}"


def machine(figure):
    """The class of machine and the date, in a phrase."""
    load = f", load {figure['load']}" if "load" in figure else ""
    return (f"{figure['date']}, {figure['build']} build, {figure['cores']} cores, {figure['system']} {figure['processor']}, "
            f"Swift {figure['swift']}{load}")


def torture_phrase(name, figure):
    failed = "none failed" if not figure["failed"] else f"**{number(figure['failed'])} failed**"
    part = "" if figure["whole"] else " of a run that is not whole"
    return f"{number(figure['trials'])} {KINDS[name].removeprefix('of these, ')}{part}, {failed} (seed {figure['seed']}, {figure['date']})"


# What the counts of long days are called, in the order of the phrase.
DAYS = {"hours": "hours", "commands": "commands", "killed": "of them killed", "full": "with a full disk", "kills of the hub": "kills of the hub",
        "jumps": "jumps of clocks", "exchanges": "exchanges", "imports": "imports", "migrations": "migrations"}


def day_phrase(figure):
    failed = "none failed" if not figure["failed"] else f"**{figure['failed']} failed**"
    counts = ", ".join(f"{number(figure['counts'][name])} {title}" for name, title in DAYS.items() if name in figure["counts"])
    return f"{figure['days']} long days, {failed}: {counts} (seeds from {figure['seed']}, {figure['date']})"


def phrases(promise, figures):
    """The last figures of a promise, in phrases; that there are none is one too."""
    for name in promise["figures"]:
        if name in NAMED:
            for kind in NAMED[name]:
                figure = figures.get("torture", {}).get(kind)
                yield torture_phrase(kind, figure) if figure else f"{KINDS[kind].removeprefix('of these, ')}: not run"
        elif name == "conformance":
            figure = figures.get(name)
            yield (f"{figure['equal']} of {figure['behaviours']} behaviours are as they were seen before ({figure['date']})"
                   if figure else "behaviours: not run")
        elif name == "days":
            figure = figures.get(name)
            yield day_phrase(figure) if figure else "long days: not run"
        elif name == "bench":
            figure = figures.get(name)
            yield f"the table below ({figure['date']})" if figure else "benchmarks: not run"


def promise_lines(entries, figures, root):
    for entry in entries:
        yield f"### {entry['title']}\n\n{entry['text']}\n"
        for name in entry["tests"]:
            target, file, function = name.split("/")
            yield f"- [`{file}.{function}`](../{place(name, root)}) in `{target}`"
        found = list(phrases(entry, figures))
        yield ("\nLast figures: " + "; ".join(found) + ".\n") if found else ""


def torture_lines(figures):
    found = figures.get("torture", {})
    if not found:
        yield "Not run.\n"
        return
    yield "![What was tried, by outcome; the table below has the numbers](Promises/torture.svg)\n"
    outcomes = sorted({outcome for kind in found.values() for outcome in kind["outcomes"]}, key=report_charts.order)
    yield "| what was tried | trials | failed | " + " | ".join(outcomes) + " | seed | taken |\n|---|--:|--:|" + "--:|" * len(outcomes) + "--:|---|"
    for name, title in KINDS.items():
        figure = found.get(name)
        if not figure:
            yield f"| {title} | not run |" + " |" * (len(outcomes) + 3)
            continue
        cells = [number(figure["outcomes"].get(outcome, 0)) for outcome in outcomes]
        whole = "" if figure["whole"] else "; not whole"
        yield (f"| {title} | {number(figure['trials'])} | {number(figure['failed'])} | " + " | ".join(cells)
               + f" | {figure['seed']} | {machine(figure)}{whole} |")
    yield "\n[Torture.md](Torture.md) says what each outcome means and what is tried.\n"


def bench_lines(figures):
    figure = figures.get("bench")
    if not figure:
        yield "Not run. [Performance.md](Performance.md) has figures of former runs.\n"
        return
    size = "" if figure["scale"] == "1" else f", at {figure['scale']} of the size"
    yield f"Medians of {figure['runs']} runs by turns{size}: {machine(figure)}.\n"
    if figure.get("load", 0) > figure["cores"]:
        yield ("**The machine was busy with other work**, so these are no figures to compare with: they have to be taken anew on a quiet one.\n")
    yield "![Time beside plain C; the table below has the numbers](Promises/speed.svg)\n"
    yield "| work | ours, s | plain C, s | ratio | bar | SQLAlchemy, s |\n|---|--:|--:|--:|--:|--:|"
    for row in figure["rows"]:
        cells = [row.get(key) for key in ("seconds", "rawSeconds", "ratio", "bar", "peerSeconds")]
        places = (4, 4, 2, 2, 4)
        texts = ["" if cell is None else cell if isinstance(cell, str) else f"{cell:.{n}f}" for cell, n in zip(cells, places)]
        yield f"| {row['name']} | " + " | ".join(texts) + " |"
    yield "\nWhat was found by profiles is in [Performance.md](Performance.md).\n"


# What Docs/Performance.md shows of the benchmarks, by their codes.
SHOWN = {
    "A": "fetch 200,000 objects of ten integers, each registered, unique and no fault",
    "AR": "the same, and read every value of each",
    "B": "create 50,000 of them and save",
    "C": "change one attribute of 10,000 and save",
    "D": "delete 10,000 and save",
    "SF": "10,000 saves of one changed object",
    "V": "200,000 dictionaries of three values",
    "ID": "insert 1,000,000 rows from dictionaries in a batch",
}
# What the README shows: of the trials these kinds, of the benchmarks these codes.
TRIED = {"flips": "bytes of stores flipped, one at a time", "faults": "calls of the file system that fail",
         "kills": "processes killed while they write"}
COMPARED = {"A": "fetch 200,000 objects", "B": "create and save 50,000 objects", "SF": "10,000 saves of one changed object"}
# Between these lines a page has figures that no hand writes.
MARK, END = "<!-- figures: written by Scripts/report from Docs/Promises/figures.json -->", "<!-- end of the figures -->"


def is_over(row):
    """Whether a ratio to plain C is above its bar; a bar in words is none."""
    return isinstance(row.get("bar"), (int, float)) and row["ratio"] > row["bar"]


def ratio_cells(row):
    """The cells of a row of benchmarks: the ratio, and its bar."""
    bar, ratio = row.get("bar"), f"{row['ratio']:.2f} times"
    return (f"**{ratio}**, over its bar" if is_over(row) else ratio), (bar if isinstance(bar, str) else f"{bar:.2f}" if bar else "")


def bench_rows(figures):
    """The rows of the benchmarks by their codes."""
    return {row["name"].split()[0]: row for row in figures.get("bench", {}).get("rows", [])}


def readme_lines(figures):
    """The section of the README: one table of the figures that are named above; None where there are none."""
    rows, counted = bench_rows(figures), [(title, figures.get("torture", {}).get(kind)) for kind, title in TRIED.items()]
    lines = []
    for title, figure in [*counted, ("tests of `make test`", figures.get("tests"))]:
        if figure:
            count = figure.get("trials", figure.get("tests"))
            lines.append(f"| {title} | {number(count)}, {number(figure['failed'])} failed | 0 failed | {figure['date']} |")
    for code, title in COMPARED.items():
        if code in rows:
            lines.append("| " + " | ".join((f"{title}: time beside plain C", *ratio_cells(rows[code]), figures["bench"]["date"])) + " |")
    return "\n".join(["| what | last figure | bar | taken |", "|---|--:|--:|---|", *lines]) if lines else None


def performance_lines(figures):
    """The section of Docs/Performance.md: ratios to plain C, and the peer's; None where there are no figures."""
    figure, rows = figures.get("bench"), bench_rows(figures)
    if not any(code in rows for code in SHOWN):
        return None
    lines = [f"Medians of {figure['runs']} runs: {machine(figure)}.", "", "| work | against plain C | bar |", "|---|--:|--:|"]
    lines += ["| " + " | ".join((text, *ratio_cells(rows[code]))) + " |" for code, text in SHOWN.items() if code in rows]
    peers = [(code, rows[code]["peerSeconds"] / rows[code]["rawSeconds"]) for code in ("A", "AR", "B")
             if code in rows and rows[code].get("peerSeconds")]
    if peers:
        numbers = [f"{ratio:.0f}" for _, ratio in peers]
        listed = numbers[0] if len(numbers) == 1 else ", ".join(numbers[:-1]) + " and " + numbers[-1]
        lines += ["", f"SQLAlchemy takes {listed} times the time of C for the first {('one', 'two', 'three')[len(peers) - 1]}."]
    return "\n".join(lines)


# The pages with a marked part, and what writes it.
MARKED = {"README.md": readme_lines, "Docs/Performance.md": performance_lines}


def with_figures(text, section):
    """A page whose marked part is the section."""
    if section is None or MARK not in text or END not in text:
        return text
    before, rest = text.split(MARK, 1)
    return before + MARK + "\n" + section + "\n" + END + rest.split(END, 1)[1]


def other_lines(figures):
    for name, title in (("tests", "Tests"), ("soak", "Random and long tests (`make soak`)")):
        figure = figures.get(name)
        if figure:
            seed = f", first seed {figure['seed']}" if figure.get("seed") is not None else ""
            whole = "" if figure["whole"] else "; the run did not come to its end"
            yield (f"- {title}: {number(figure['tests'])} ran, {figure['failed']} failed, {figure['skipped']} skipped{seed}{whole} "
                   f"({machine(figure)}).")
        else:
            yield f"- {title}: not run by `make report`."
    figure = figures.get("conformance")
    yield (f"- Behaviours: {figure['equal']} of {figure['behaviours']} are as `Conformance/Expected.json` has them ({machine(figure)})."
           if figure else "- Behaviours: not run.")
    answers = sorted((ROOT / "Conformance/Apple").glob("*.json"))
    ours = json.loads((ROOT / "Conformance/Expected.json").read_text()) if answers else {}
    for path in answers:
        apple = json.loads(path.read_text())
        same = sum(ours.get(name) == outcome for name, outcome in apple.items())
        yield f"- Apple's framework, {path.stem}: {same} of {len(apple)} behaviours are equal here."
    if not answers:
        yield "- Apple's framework: not run yet; `Docs/Conformance.md` says how to run it on a Mac and send its answers."


def page(entries, figures, root=ROOT):
    lines = [HEAD, "## What is promised\n", *promise_lines(entries, figures, root), "## Faults, kills and damaged files\n",
             *torture_lines(figures), "## Speed beside plain C\n", *bench_lines(figures), "## Tests and behaviours\n", *other_lines(figures)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def files(entries, figures, root=ROOT):
    """All that is written, by its path."""
    found = {"Docs/Promises.md": page(entries, figures, root)}
    if figures.get("torture"):
        found["Docs/Promises/torture.svg"] = report_charts.torture(figures["torture"], KINDS)
    if figures.get("bench"):
        found["Docs/Promises/speed.svg"] = report_charts.speed(figures["bench"]["rows"])
    for path, section in MARKED.items():
        if (root / path).exists():
            found[path] = with_figures((root / path).read_text(), section(figures))
    return found


def unmarked(figures, root=ROOT):
    """Pages that must have a marked part and have none."""
    return [path for path, section in MARKED.items()
            if section(figures) and not ((root / path).exists() and MARK in (root / path).read_text() and END in (root / path).read_text())]


def complaints(entries, root=ROOT):
    """What is wrong with the promises themselves."""
    for entry in entries:
        if not entry["tests"]:
            yield f"'{entry['title']}' has no test"
        for name in entry["tests"]:
            if name.count("/") != 2 or place(name, root) is None:
                yield f"'{entry['title']}' names '{name}', which is no test"
        for name in entry["figures"]:
            if name not in NAMED and name not in ("bench", "conformance", "days"):
                yield f"'{entry['title']}' names '{name}', which is no figure"


def refuse(found):
    for line in found:
        print(f"Docs/Promises/promises.json: {line}", file=sys.stderr)
    return 1 if found else 0


def write(figures):
    entries = promises()
    if refuse(list(complaints(entries))):
        raise SystemExit(1)
    for path, text in files(entries, figures).items():
        (ROOT / path).write_text(text)
        print(f"report: {path}")


def missed(figures):
    """The figures that are above their bars: ratios to plain C, trials and tests that failed, behaviours that differ."""
    for row in bench_rows(figures).values():
        # Within a tenth of its bar a figure is stated, not refused: it is shown as above its bar on the page.
        if is_over(row) and row["ratio"] > row["bar"] * 1.1:
            yield f"'{row['name']}' takes {row['ratio']:.2f} times the time of plain C, and its bar is {row['bar']:.2f}"
    for kind, figure in figures.get("torture", {}).items():
        if figure["failed"]:
            yield f"{number(figure['failed'])} of the {KINDS[kind].removeprefix('of these, ')} failed"
    for part in ("tests", "soak"):
        if figures.get(part, {}).get("failed"):
            yield f"{number(figures[part]['failed'])} of the tests failed ({part})"
    if figures.get("days", {}).get("failed"):
        yield f"{figures['days']['failed']} of the long days failed"
    behaviours = figures.get("conformance")
    if behaviours and behaviours["equal"] < behaviours["behaviours"]:
        yield f"{behaviours['behaviours'] - behaviours['equal']} behaviours differ from Conformance/Expected.json"


def check(figures):
    entries = promises()
    if refuse(list(complaints(entries))):
        return 1
    above = list(missed(figures))
    for line in above:
        print(f"Docs/Promises/figures.json: {line}", file=sys.stderr)
    behind = [path for path, text in files(entries, figures).items()
              if not (ROOT / path).exists() or (ROOT / path).read_text() != text]
    for path in behind:
        print(f"{path} is behind its figures: run Scripts/report page", file=sys.stderr)
    without = unmarked(figures)
    for path in without:
        print(f"{path} lacks the lines between which its figures are written: {MARK} and {END}", file=sys.stderr)
    return 1 if behind or without or above else 0


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "Tests/A").mkdir(parents=True)
        (root / "Tests/A/B.swift").write_text('@Test("(one)", arguments: [1])\nfunc one(_ n: Int) {}\n\nfunc helper() {}\n@Test func two() {}\n')
        entry = {"title": "T", "text": "It holds.", "tests": ["A/B/one", "A/B/two"], "figures": ["torture.kills", "bench"]}
        assert not list(complaints([entry], root))
        for wrong in ("A/B/helper", "A/B/three", "A/C/one", "A/B"):
            assert list(complaints([{**entry, "tests": [wrong]}], root)), wrong
        assert list(complaints([{**entry, "figures": ["torture.wishes"]}], root)) and list(complaints([{**entry, "tests": []}], root))
        text = page([entry], {}, root)
        assert "kills: not run; benchmarks: not run" in text and "| 0 |" not in text and ".svg" not in text, text
        about = {"date": "2026-01-02", "build": "release", "cores": 2, "system": "Linux", "processor": "x", "swift": "6", "load": 0.5}
        kills = {**about, "seed": 7, "trials": 1200, "failed": 1, "outcomes": {"former": 1199, "lost": 1}, "whole": False}
        rows = [{"name": "A  fetch <all>", "ratio": 1.5, "bar": "≤ 2", "seconds": 1, "rawSeconds": 0.7, "peerSeconds": None}]
        found = files([entry], {"torture": {"kills": kills}, "bench": {**about, "runs": 5, "scale": "1", "rows": rows}}, root)
        assert "1,200 kills of a run that is not whole, **1 failed** (seed 7, 2026-01-02)" in found["Docs/Promises.md"]
        assert "| flipped bytes | not run |" in found["Docs/Promises.md"] and "- Tests: not run" in found["Docs/Promises.md"]
        long = page([entry], {"soak": {**about, "tests": 1000, "failed": 0, "skipped": 2, "seed": 9, "whole": False}}, root)
        assert "1,000 ran, 0 failed, 2 skipped, first seed 9; the run did not come to its end" in long, long
        shown = [{"name": "A  fetch", "ratio": 1.424, "bar": 1.9, "rawSeconds": 0.5, "peerSeconds": 20.0},
                 {"name": "B  create", "ratio": 5.18, "bar": 5, "rawSeconds": 1, "peerSeconds": 95.4}]
        measured = {"bench": {**about, "runs": 5, "scale": "1", "rows": shown}}
        assert unmarked(measured, root) == ["README.md", "Docs/Performance.md"]
        assert unmarked({"torture": {"kills": kills}}, root) == ["README.md"]
        (root / "README.md").write_text(f"a\n{MARK}\n| create | 3.9 to 5.0 times |\n{END}\nb\n")
        (root / "Docs").mkdir()
        (root / "Docs/Performance.md").write_text(f"{MARK}\n{END}\n")
        assert not unmarked(measured, root)
        found_again = files([entry], measured | {"torture": {"kills": kills}}, root)
        readme, performance = found_again["README.md"], found_again["Docs/Performance.md"]
        for text in (readme, performance):
            assert "3.9" not in text and "| 1.42 times | 1.90 |" in text and "| **5.18 times**, over its bar | 5.00 |" in text, text
        assert readme.startswith("a\n") and readme.endswith("\nb\n") and "while they write | 1,200, 1 failed | 0 failed | 2026-01-02 |" in readme, readme
        assert "SQLAlchemy takes 40 and 95 times" in performance, performance
        assert with_figures(readme, readme_lines(measured | {"torture": {"kills": kills}})) == readme
        bars = {"rows": [{**shown[0], "ratio": 1.9}, {**shown[1], "bar": "≤ 2"}]}
        assert not list(missed({"bench": bars, "torture": {"kills": {**kills, "failed": 0}}, "tests": {"failed": 0}}))
        assert not list(missed({"conformance": {"equal": 3, "behaviours": 3}})) and not list(missed({}))
        assert not list(missed(measured)), "5.18 is within a tenth of 5"
        over = {"bench": {"rows": [{**shown[1], "bar": 5, "ratio": 5.6}]}}
        for figures in (over, {"torture": {"kills": kills}}, {"tests": {"failed": 2}}, {"soak": {"failed": 1}},
                        {"conformance": {"equal": 2, "behaviours": 3}}):
            assert len(list(missed(figures))) == 1, (figures, list(missed(figures)))
        assert "was busy" not in found["Docs/Promises.md"]
        rows_when_busy = {"bench": {**about, "load": 2.5, "runs": 5, "scale": "1", "rows": rows}}
        assert "was busy" in page([entry], rows_when_busy, root)
        report_charts.self_test(found["Docs/Promises/torture.svg"], ["kills", "1,200", "1 failed"])
        report_charts.self_test(found["Docs/Promises/speed.svg"], ["fetch <all>", "1.5"])
