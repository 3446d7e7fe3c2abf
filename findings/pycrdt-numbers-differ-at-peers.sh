#!/bin/sh
# pycrdt: a whole number is read as a Double, and 2^63 - 1 is another number at the peer than at its author.
#
# Package: pycrdt 0.14.13 (PyPI), Python's documents of Yjs that peers edit together.
# Input:   a map with 1, 1.0, 2^53 + 1 and 2^63 - 1, whose update is applied to a second document.
# Seen:    1 and 1.0 are both the Double 1.0, for the author too; 2^53 + 1 stays a whole number, and 2^63 - 1 is a whole number for
#          its author and the Double 9223372036854775808.0 for the peer: documents that have the same updates are not equal.
# Expected: the kinds and values that were given, or an error; the same for author and peer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install pycrdt==0.14.13
"$folder/venv/bin/python" - <<'PYTHON'
from pycrdt import Doc, Map

author, peer = Doc(), Doc()
written = author.get("values", type=Map)
given = {"one": 1, "real": 1.0, "odd": 2**53 + 1, "largest": 2**63 - 1}
for name, value in given.items():
    written[name] = value
peer.apply_update(author.get_update())
read = peer.get("values", type=Map)
seen = {name: (repr(written[name]), repr(read[name])) for name in given}
print(*(f"{name}: given {given[name]!r}, author {one}, peer {two}" for name, (one, two) in seen.items()), sep="\n")
assert seen == {
    "one": ("1.0", "1.0"),
    "real": ("1.0", "1.0"),
    "odd": ("9007199254740993", "9007199254740993"),
    "largest": ("9223372036854775807", "9.223372036854776e+18"),
}, "the behaviour has changed"
print("as found")
PYTHON
