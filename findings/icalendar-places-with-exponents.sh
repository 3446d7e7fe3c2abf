#!/bin/sh
# icalendar writes places near the equator or Greenwich with an exponent.
#
# Package: icalendar 6.3.2 (PyPI).
# Input:   an event at latitude 0.00005, longitude 6.95.
# Seen:    GEO:5e-05;6.95
# Expected: GEO:0.00005;6.95, since RFC 5545, 3.8.1.6 has digits and a point only.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install icalendar==6.3.2
"$folder/venv/bin/python" - <<'PYTHON'
from icalendar import Event

event = Event()
event.add("geo", (0.00005, 6.95))
text = event.to_ical().decode()
print(text)
assert "GEO:5e-05;6.95" in text, "the behaviour has changed"
PYTHON
