#!/bin/sh
# The open-source Foundation keeps one of two keys that differ only in composed and decomposed characters, and not always the same.
#
# Package: Foundation of the Swift toolchain 6.3.1 (Linux).
# Input:   JSON and a property list with two keys, U+00E9 and U+0065 U+0301, and collections with these strings.
# Seen:    JSONSerialization and PropertyListSerialization keep the second value, JSONDecoder the first. NSString calls the two
#          strings equal and gives them different hashes; NSSet has one or both of them, by chance in each process.
# Expected: two keys, since JSON (RFC 8259, 8.3) and property lists compare them by their code units, as Apple's NSString does; and
#          equal objects with equal hashes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

let (composed, decomposed) = ("\u{E9}", "e\u{301}")
let json = Data("{\"\(composed)\": 1, \"\(decomposed)\": 2}".utf8)
let xml = """
    <?xml version="1.0"?><plist version="1.0"><dict><key>\(composed)</key><integer>1</integer>
    <key>\(decomposed)</key><integer>2</integer></dict></plist>
    """
let object = try JSONSerialization.jsonObject(with: json) as! [String: Any]
let list = try PropertyListSerialization.propertyList(from: Data(xml.utf8), options: [], format: nil) as! [String: Any]
print("JSONSerialization", Array(object.values))
print("JSONDecoder", try JSONDecoder().decode([String: Int].self, from: json).map(\.value))
print("PropertyListSerialization", Array(list.values))
let strings = [composed, decomposed].map { NSString(string: $0) }
print("equal", strings[0].isEqual(strings[1]), "hashes equal", strings[0].hash == strings[1].hash)
print("NSSet", NSSet(array: strings).count)
SWIFT
swiftc -o "$folder/program" "$folder/main.swift"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do "$folder/program"; done |
    LC_ALL=C sort -u | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
JSONDecoder [1]
JSONSerialization [2]
NSSet 1
NSSet 2
PropertyListSerialization [2]
equal true hashes equal false
TEXT
diff "$folder/expected" "$folder/seen" && echo "as found"
