"""What the scripts that make pictures share: sessions in a terminal that are carried out, pages that Chromium shows, files of a bounded size.

The tool is that of a debug build, or the program 'coredata' in the folder that BIN names.
"""
import base64
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks/Peers"))
import first_view  # noqa: E402


def coredata():
    """The tool's path; it is built unless BIN names where it is."""
    folder = pathlib.Path(os.environ.get("BIN") or ROOT / ".build/debug")
    if not os.environ.get("BIN"):
        subprocess.run([ROOT / "Scripts/bootstrap", "test"], check=True)
        subprocess.run(["swift", "build", "--product", "coredata"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    return (folder / "coredata").absolute()


def environment(tool):
    """In which sessions run: the tool is found by its name, and what is printed depends on no machine."""
    return {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}", "NO_COLOR": "1", "TZ": "UTC", "COLUMNS": "100"}


def session(commands, folder, environment, shown, codes, real=lambda command: command):
    """The text of a session: each command, and what it printed.

    'shown' is written for the folder's path, 'codes' gives the codes that a command may end with, 'real' what is run for it.
    """
    text = ""
    for command in commands:
        run = subprocess.run(["bash", "-c", real(command)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode not in codes(command):
            raise SystemExit(f"'{command}' ended with {run.returncode}\n{run.stdout}")
        printed = run.stdout.replace(str(folder.resolve()), shown).replace(str(folder), shown).strip("\n")
        # A blank line follows what a command has printed.
        text += f"$ {command}\n" + (f"{printed}\n\n" if printed else "")
    return text.rstrip("\n") + "\n"


def drawn(text, *options):
    """A session's text as an SVG."""
    return subprocess.run([ROOT / "Scripts/terminal-svg", *options], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


@contextlib.contextmanager
def chromium():
    """The port of Chromium's driver; None where it is not installed, so that pictures of pages stay as they are."""
    driver = shutil.which("chromedriver")
    if not driver:
        print("chromedriver is not installed, so pictures of pages stay as they are", file=sys.stderr)
        yield None
        return
    process, port = first_view.lines([driver, "--port=0"], r"successfully on port (\d+)", stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


# The address of the one store or model of a page: that of its card, or where the page went by itself.
SHOWN = "return (location.pathname == '/' ? document.querySelector('main a.card') : location).pathname.slice(1)"


def page(port, serve, path, until, click=None, size=(1080, 560), scale=1, theme="light", encodings=(("jpeg", 75),), limit=None, **options):
    """A picture of a page of a server that is started for it, in the first of the encodings that stays within the limit.

    'path' gives '{shown}' for the address of what the server shows, such as 'stores/NAME'.
    """
    server, link = first_view.lines(serve, r"(http://127\S+)", **options)
    shown = first_view.Page(port)
    try:
        def command(name, **parameters):
            return shown.ask("/goog/cdp/execute", {"cmd": name, "params": parameters})
        command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=scale, mobile=False)
        command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        command("Emulation.setLocaleOverride", locale="en-GB")
        shown.go(link, "location.hash == '' && document.querySelector('main *')")
        name = shown.ask("/execute/sync", {"script": SHOWN, "args": []})
        shown.go(link.split("?")[0] + path.replace("{shown}", name), until)
        if click:
            shown.ask("/execute/sync", {"script": click, "args": []})
        first_view.time.sleep(1.5)
        for kind, quality in encodings:
            data = base64.b64decode(command("Page.captureScreenshot", format=kind, quality=quality)["data"])
            if limit is None or len(data) <= limit:
                break
        return data
    finally:
        shown.ask("", method="DELETE")
        server.terminate()
        server.wait()


def keep(path, data, limit):
    """Writes a picture of at most so many bytes."""
    if len(data) > limit:
        raise SystemExit(f"{path.name} has {len(data)} bytes, more than {limit}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{path.relative_to(ROOT)}, {len(data)} bytes")
