"""Looks at every link and picture of a documentation site, as it lies in a folder.

    python3 Scripts/site_links.py [FOLDER]       prints what leads nowhere, and ends with 1 if anything does
    python3 Scripts/site_links.py --self-test    whether it finds what is wrong with a small site made to be wrong

A page's data names what it links to: pages and headings of the site, pictures, addresses elsewhere. The first two must be there. No page,
style or script may load anything from another host.
"""

import json
import pathlib
import re
import sys
import tempfile
import urllib.parse

# What makes a browser load something, in pages, styles and the words of scripts; links that a reader has to follow do not belong to it.
LOADS = re.compile(r"""(?:\bsrc\s*=|<link\b[^>]*\bhref\s*=|\burl\(|@import)\s*["']?((?:https?:)?//[^"')\s>]+)""", re.I)


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = {}
        self.problems = []
        self.links = 0
        for path in sorted((folder / "data").rglob("*.json")):
            address = "/" + str(path.relative_to(folder / "data"))[:-5]
            self.pages[address.lower()] = json.loads(path.read_text())
        self.anchors = {address: set(self.anchors_of(page)) for address, page in self.pages.items()}

    def anchors_of(self, node):
        """The places of a page that a link can name."""
        if isinstance(node, dict):
            if isinstance(node.get("anchor"), str):
                yield node["anchor"]
            for key, value in node.items():
                if key not in ("references", "hierarchy"):
                    yield from self.anchors_of(value)
        elif isinstance(node, list):
            for value in node:
                yield from self.anchors_of(value)

    def used(self, node):
        """What a page itself names: references by their identifiers, and addresses of plain links."""
        if isinstance(node, dict):
            if isinstance(node.get("identifier"), str):
                yield "reference", node["identifier"]
            elif node.get("type") == "link":
                yield "link", node.get("destination", "")
            if isinstance(node.get("identifiers"), list):
                yield from (("reference", one) for one in node["identifiers"] if isinstance(one, str))
            for key in ("image", "media", "source", "icon"):
                if isinstance(node.get(key), str):
                    yield "reference", node[key]
            for key, value in node.items():
                if key not in ("references", "hierarchy", "identifier", "variants"):
                    yield from self.used(value)
        elif isinstance(node, list):
            for value in node:
                yield from self.used(value)

    def fault(self, page, text):
        self.problems.append(f"{page}: {text}")

    def check_address(self, page, target):
        """An address within the site: of a page, a heading of one, or a file."""
        path, _, anchor = target.partition("#")
        path = urllib.parse.unquote(path) if path else page
        if not path.startswith("/"):
            # Pages lie in folders of their own names.
            path = "/" + str(pathlib.PurePosixPath(*self.resolved(page, path)))
        key = path.rstrip("/").lower()
        if key in self.pages:
            if anchor and urllib.parse.unquote(anchor) not in self.anchors[key] and anchor not in self.anchors[key]:
                self.fault(page, f"'{target}' names no heading of that page")
        elif not ((self.folder / path.lstrip("/")).is_file() or (self.folder / path.lstrip("/") / "index.html").is_file()):
            self.fault(page, f"'{target}' leads to nothing")

    @staticmethod
    def resolved(page, path):
        parts = [part for part in page.split("/") if part]
        for part in path.split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part not in ("", "."):
                parts.append(part)
        return parts

    def check_page(self, address, page):
        references = page.get("references", {})
        for kind, name in self.used(page):
            self.links += 1
            if kind == "link":
                if not re.match(r"[a-z][a-z0-9+.-]*:", name):
                    self.check_address(address, name)
                continue
            reference = references.get(name)
            if reference is None:
                if name.startswith("doc:"):
                    self.fault(address, f"'{name}' is not known")
                continue
            if reference.get("type") in ("topic", "section") and reference.get("url", "").startswith("/"):
                self.check_address(address, reference["url"])
            for variant in reference.get("variants", []):
                if re.match(r"(https?:)?//", variant["url"]):
                    self.fault(address, f"the picture '{variant['url']}' is on another host")
                elif not (self.folder / variant["url"].lstrip("/")).is_file():
                    self.fault(address, f"the picture '{variant['url']}' is missing")

    def check_hosts(self):
        for path in sorted(self.folder.rglob("*")):
            if path.suffix in (".html", ".css", ".svg", ".js") and path.is_file():
                for match in LOADS.finditer(path.read_text(errors="replace")):
                    self.fault(path.relative_to(self.folder), f"loads '{match.group(1)}' from another host")

    def check(self):
        for address, page in self.pages.items():
            self.check_page(address, page)
            if address.startswith(("/documentation/", "/tutorials/")) and \
                    not (self.folder / address.lstrip("/") / "index.html").is_file():
                self.fault(address, "has no index.html, so it can be reached by no address")
        self.check_hosts()
        return sorted(set(self.problems))


def check(folder):
    """What leads nowhere, as sentences, with the numbers of pages and links; ends the program where there is no site."""
    site = Site(pathlib.Path(folder))
    if not site.pages:
        raise SystemExit(f"there is no site in {folder}; Scripts/docs makes it")
    return site.check(), len(site.pages), site.links


def self_test():
    """Ends the program unless each mistake of a small site is found, and nothing else."""
    def reference(name, url):
        return {f"doc:{name}": {"type": "topic", "url": url, "identifier": f"doc:{name}"}}
    def link(name):
        return {"type": "reference", "identifier": f"doc:{name}"}
    good = {"primaryContentSections": [{"type": "heading", "anchor": "Here"}, link("two"), {"type": "link", "destination": "../../search/"}],
            "references": reference("two", "/documentation/two#There")}
    bad = {"sections": [{"anchor": "There"}, link("one"), link("gone"), link("unknown"), {"type": "link", "destination": "../nowhere/"},
                        {"type": "link", "destination": "https://example.com"}, {"type": "image", "identifier": "a.svg"}],
           "references": reference("one", "/documentation/one#Nothing") | reference("gone", "/documentation/three")
           | {"a.svg": {"type": "image", "variants": [{"url": "/images/a.svg"}]}}}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in ("data/documentation", "documentation/one", "documentation/two", "search"):
            (folder / path).mkdir(parents=True)
        for path in ("documentation/one", "documentation/two", "search"):
            (folder / path / "index.html").write_text("<a href='https://example.com'>may be followed</a>")
        (folder / "data/documentation/one.json").write_text(json.dumps(good))
        (folder / "data/documentation/two.json").write_text(json.dumps(bad))
        (folder / "a.css").write_text("body { background: url(https://example.com/a.png) }")
        found = check(folder)[0]
    expected = ["'../nowhere/' leads", "'/documentation/one#Nothing' names", "'/documentation/three' leads", "'doc:unknown' is not",
                "picture '/images/a.svg' is missing", "loads 'https://example.com/a.png'"]
    missed = [one for one in expected if not any(one in problem for problem in found)]
    if missed or len(found) != len(expected):
        raise SystemExit(f"site_links.py finds {found}, and not {missed}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    root = pathlib.Path(__file__).resolve().parent.parent
    found, pages, links = check(sys.argv[1] if len(sys.argv) > 1 else root / ".build/docs")
    for problem in found:
        print(problem)
    print(f"{pages} pages with {links} links, of which {len(found)} lead nowhere")
    sys.exit(bool(found))
