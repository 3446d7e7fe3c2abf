#!/bin/sh
# sqlite-utils: from CSV, postal codes and serial numbers lose their zeros, and long identifiers become equal.
#
# Package: sqlite-utils 4.2.1 (PyPI), which makes SQLite's tables of CSV, with its defaults.
# Input:   columns of postal codes (01067), versions (1.10) and identifiers of twenty digits that differ in the last.
# Seen:    the columns are INTEGER, REAL and INTEGER: 01067 is 1067, 1.10 is 1.1, and both identifiers are the one Double
#          1.2345678901234567e+19. No message. (--no-detect-types keeps texts.)
# Expected: texts whose form a number does not give back stay texts, as 1_000 in the same file does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install sqlite-utils==4.2.1
cat >"$folder/parcels.csv" <<'CSV'
postcode,version,number,weight
01067,1.10,12345678901234567890,1_000
04109,1.20,12345678901234567891,2_000
CSV
"$folder/venv/bin/sqlite-utils" insert "$folder/parcels.db" parcels "$folder/parcels.csv" --csv
"$folder/venv/bin/sqlite-utils" rows "$folder/parcels.db" parcels >"$folder/seen"
cat "$folder/seen"
"$folder/venv/bin/python" - "$folder/seen" <<'PYTHON'
import json
import sys

rows = json.load(open(sys.argv[1]))
assert [row["postcode"] for row in rows] == [1067, 4109], "the behaviour has changed"
assert [row["version"] for row in rows] == [1.1, 1.2], "the behaviour has changed"
assert rows[0]["number"] == rows[1]["number"] == 1.2345678901234567e19, "the behaviour has changed"
assert [row["weight"] for row in rows] == ["1_000", "2_000"], "the behaviour has changed"
print("as found")
PYTHON
