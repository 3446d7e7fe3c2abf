"""Which pages Docs/ has, which of them are articles of the site, and what forges call a heading. See Scripts/docs and Scripts/check-docs."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages for those who work on the library itself, and the index for forges; these stay in the repository.
OWN = {"README", "Requirements", "Glossary", "BrowserFrontEnd"}
# The folders whose pages are articles; those of Docs/HowTo are not.
FOLDERS = ("Docs", "Docs/Guides", "Docs/Decisions")
FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def articles(root=ROOT):
    """The pages that the site has, in the order of their folders."""
    return [path for folder in FOLDERS for path in sorted((root / folder).glob("*.md")) if path.stem not in OWN]


def headings(text):
    """The titles of a page, in order; a line of code that begins with a number sign is none."""
    return re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.M)


def slug(heading):
    """The anchor that forges give a heading."""
    plain = re.sub(r"[`*_]|\[|\]\([^)]*\)", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
