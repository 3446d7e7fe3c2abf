#!/bin/sh
# SQLite's R-tree stores NULL and words as 0, wraps whole numbers, and answers "within" with none of the places it holds.
#
# Package: SQLite 3.46.1 as in apsw 3.46.1.0 (PyPI).
# Input:   rows of an rtree and of an rtree_i32 table; 10,000 places as boxes without extent.
# Seen:    no error and no NULL: a row without a place is found at 0, 0; 2^31 in rtree_i32 becomes -2^31, 1.9 becomes 1. A place is
#          rounded outward to 32 bits, so the question min >= x AND max <= x finds hardly any of 10,000, the overlap
#          max >= x AND min <= x all of them.
# Expected: NULL kept or refused, and an error for what does not fit; the rounding is documented.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install apsw==3.46.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import random

import apsw

print("SQLite", apsw.sqlite_lib_version())
connection = apsw.Connection(":memory:")
connection.execute("CREATE VIRTUAL TABLE f USING rtree(id, x0, x1)")
connection.execute("CREATE VIRTUAL TABLE i USING rtree_i32(id, x0, x1)")
for key, value in enumerate((None, "word", 2**31, 1.9)):
    connection.execute("INSERT INTO f VALUES (?, ?, ?)", (key, value, value))
    connection.execute("INSERT INTO i VALUES (?, ?, ?)", (key, value, value))
stored = [[row[0] for row in connection.execute(f"SELECT x0 FROM {table} ORDER BY id")] for table in "fi"]
print("rtree", stored[0], "rtree_i32", stored[1])
assert stored[0][:3] == [0.0, 0.0, 2147483648.0], "the behaviour has changed"
assert stored[1] == [0, 0, -2147483648, 1], "the behaviour has changed"

connection.execute("CREATE VIRTUAL TABLE places USING rtree(id, x0, x1)")
random.seed(7)
places = [random.uniform(-180, 180) for _ in range(10_000)]
connection.executemany("INSERT INTO places VALUES (?, ?, ?)", ((key, x, x) for key, x in enumerate(places)))


def found(condition):
    question = f"SELECT count(*) FROM places WHERE id = ? AND {condition}"
    return sum(connection.execute(question, (key, x, x)).fetchone()[0] for key, x in enumerate(places))


within, overlapping = found("x0 >= ? AND x1 <= ?"), found("x1 >= ? AND x0 <= ?")
print("of 10000 places: within", within, "overlapping", overlapping)
assert within < 10 and overlapping == 10_000, "the behaviour has changed"
print("as found")
PYTHON
