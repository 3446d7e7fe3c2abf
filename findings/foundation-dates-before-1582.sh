#!/bin/sh
# The open-source Foundation writes ISO 8601 texts of old dates in the Julian calendar, and takes days that do not exist.
#
# Package: Foundation of the Swift toolchain 6.3.1 (Linux).
# Input:   texts and dates before 15 October 1582; 30 February 2023.
# Seen:    ISO8601DateFormatter and Date.ISO8601FormatStyle read and write Julian dates before the change of calendars, so
#          1582-10-10 is read and written back as 1582-10-20, and 1500-02-29 is taken for a day; the description of the same
#          Date is proleptic Gregorian, ten days on. 2023-02-30 is read as 2 March without an error. A 60th second is
#          refused by the formatter and read by the format style.
# Expected: ISO 8601 counts in the proleptic Gregorian calendar, in which 1500-02-29 and 2023-02-30 are no days.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

let formatter = ISO8601DateFormatter()
for text in [
    "1582-10-10T00:00:00Z", "1500-02-29T00:00:00Z", "2023-02-30T00:00:00Z", "2016-12-31T23:59:60Z",
] {
    let read = formatter.date(from: text)
    let styled = try? Date(text, strategy: .iso8601)
    print(text, read.map(formatter.string(from:)) ?? "nil", styled.map { $0.formatted(.iso8601) } ?? "nil")
}
let old = Date(timeIntervalSinceReferenceDate: -14_000_000_000)
print(formatter.string(from: old), "|", old)
SWIFT
swiftc -o "$folder/program" "$folder/main.swift"
"$folder/program" | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
1582-10-10T00:00:00Z 1582-10-20T00:00:00Z 1582-10-20T00:00:00Z
1500-02-29T00:00:00Z 1500-02-29T00:00:00Z 1500-02-29T00:00:00Z
2023-02-30T00:00:00Z 2023-03-02T00:00:00Z 2023-03-02T00:00:00Z
2016-12-31T23:59:60Z nil 2017-01-01T00:00:00Z
1557-05-01T23:06:40Z | 1557-05-11 23:06:40 +0000
TEXT
diff "$folder/expected" "$folder/seen" && echo "as found"
