#!/usr/bin/env python3
"""Measures what scripts take until a list of the browser is shown, in Chromium without windows.

    first_view.py COREDATA STORE ENTITY RUNS

Serves STORE by 'COREDATA browse' and opens the list of ENTITY, each time in a Chromium with an empty profile. Prints the
median of 'ScriptDuration' in seconds; prints nothing where chromedriver is not installed.
"""
import json, os, re, shutil, signal, statistics, subprocess, sys, time, urllib.request


def lines(program, pattern, **options):
    """Starts a program and gives it with what a pattern finds in its output."""
    child = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, **options)
    for line in child.stdout:
        found = re.search(pattern, line)
        if found:
            return child, found.group(1)
    raise SystemExit(f"{program[0]} did not start")


class Page:
    """A Chromium that a driver leads by the W3C's protocol."""

    def __init__(self, driver):
        self.root = f"http://127.0.0.1:{driver}/session"
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--window-size=1280,900"]
        # Chromium's own walls need a user that is not root.
        flags += ["--no-sandbox"] if os.geteuid() == 0 else []
        options = {"browserName": "chrome", "goog:chromeOptions": {"args": flags}}
        self.root += "/" + self.ask("", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def ask(self, path, body=None, method="POST"):
        data = None if method == "DELETE" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def go(self, address, until):
        self.ask("/url", {"url": address})
        end = time.monotonic() + 30
        while not self.ask("/execute/sync", {"script": f"return !!({until})", "args": []}):
            if time.monotonic() > end:
                raise SystemExit(f"the page at {address} is not shown")
            time.sleep(0.02)

    def metrics(self, command):
        return self.ask("/goog/cdp/execute", {"cmd": f"Performance.{command}", "params": {}})


def script_seconds(driver, link, view):
    page = Page(driver)
    try:
        page.go(link, "document.querySelector('main a')")
        page.ask("/window", {"handle": page.ask("/window/new", {"type": "tab"})["handle"]})
        page.metrics("enable")
        page.go(view, "document.querySelector('.grid .row[data-id]')")
        # What the page still does after its rows are shown.
        time.sleep(0.5)
        found = {one["name"]: one["value"] for one in page.metrics("getMetrics")["metrics"]}
        return found["ScriptDuration"]
    finally:
        page.ask("", method="DELETE")


def main(tool, store, entity, runs):
    # A thread of the caller's may have blocked signals; programs started here would never see that they are to end.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    chromedriver = shutil.which("chromedriver")
    if not chromedriver:
        return
    driver, port = lines([chromedriver, "--port=0"], r"successfully on port (\d+)", stderr=subprocess.DEVNULL)
    times = []
    shown = json.loads(subprocess.check_output([tool, "browse", store, "--print", "/"]))
    name = shown["stores"][0]["id"]
    try:
        for _ in range(int(runs)):
            # Each printed address opens one session.
            server, link = lines([tool, "browse", store, "--no-open"], r"(http://127\S+)")
            try:
                view = link.split("?")[0] + f"stores/{name}/entities/{entity}"
                times.append(script_seconds(port, link, view))
            finally:
                server.terminate()
                server.wait()
    finally:
        driver.terminate()
        driver.wait()
    print(statistics.median(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
