#!/bin/sh
# cocoa-time takes timestamps from 9 September 2032 on for hundredths of seconds.
#
# Package: cocoa-time 1.0.10 (PyPI), which converts Core Data's timestamps, seconds since 2001-01-01.
# Input:   999999999 and 1000000000 seconds, one second apart.
# Seen:    the first is 2032-09-09 01:46:39, the second 2001-04-26 17:46:40: numbers of ten digits are divided by 100.
# Expected: 2032-09-09 01:46:40. (0 and negative timestamps raise errors; that is not what this is about.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install cocoa-time==1.0.10
"$folder/venv/bin/python" - <<'PYTHON'
import cocoa_time

seen = [str(cocoa_time.to_datetime(seconds)) for seconds in (999_999_999, 1_000_000_000)]
print(*seen, sep="\n")
assert seen == ["2032-09-09 01:46:39", "2001-04-26 17:46:40"], "the behaviour has changed"
print("as found")
PYTHON
