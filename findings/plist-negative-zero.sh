#!/bin/sh
# Writers of property lists lose the sign of -0.0 where 0.0 stands beside it.
#
# Packages: plistlib of CPython 3.11 to 3.13, biplist 1.0.3, bpylist2 4.1.1 (PyPI).
# Input:    the list [0.0, -0.0], written in binary form and read back; the same with the numbers exchanged.
# Seen:     all three write equal numbers once, and compare -0.0 equal to 0.0. With plistlib and bpylist2 the second number is read
#           back with the sign of the first; biplist loses the sign even of -0.0 alone. True and 1, 1 and 1.0 are kept apart.
# Expected: [0.0, -0.0], which the format can hold.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install biplist==1.0.3 bpylist2==4.1.1
"$folder/venv/bin/python" - <<'PYTHON'
import plistlib
import sys

import biplist
from bpylist2 import archiver

print("CPython", sys.version.split()[0])
writers = {
    "plistlib": lambda value: plistlib.loads(plistlib.dumps(value, fmt=plistlib.FMT_BINARY)),
    "biplist": lambda value: biplist.readPlistFromString(biplist.writePlistToString(value)),
    "bpylist2": lambda value: archiver.unarchive(archiver.archive(value)),
}
first_sign = ["[0.0, 0.0]", "[-0.0, -0.0]", "[-0.0]", "[True, 1, 1.0]"]
expected = {
    "plistlib": first_sign, "bpylist2": first_sign, "biplist": ["[0.0, 0.0]", "[0.0, 0.0]", "[0.0]", "[True, 1, 1.0]"]}
for name, write in writers.items():
    seen = [repr(write(value)) for value in ([0.0, -0.0], [-0.0, 0.0], [-0.0], [True, 1, 1.0])]
    print(name, *seen)
    assert seen == expected[name], f"the behaviour has changed: {seen}"
print("as found")
PYTHON
