#!/bin/sh
# nska_deserialize replaces nil and early dates by an empty text, merges keys, and orders sets by the text of their numbers.
#
# Package: nska_deserialize 1.5.1 (PyPI), which reads archives of NSKeyedArchiver.
# Input:   archives as NSKeyedArchiver writes them: an array with nil, an empty text and a date of year 1; a dictionary with the
#          keys 1 and "1"; an ordered set of twelve texts; a mutable data value.
# Seen:    nil and the date come as '', as the empty text does; of the two keys one is left; the ordered set comes as a dictionary with
#          its second member behind the eleventh; the mutable data stays a dictionary.
# Expected: values that can be told apart, both entries, and the members in their order.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install nska-deserialize==1.5.1
"$folder/venv/bin/python" - <<'PYTHON'
import io
import plistlib

import nska_deserialize

UID = plistlib.UID


def archive(root, *objects):
    """An archive whose objects from number 2 on are given, with the root as number 1."""
    plist = {
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": ["$null", root, *objects]}
    return io.BytesIO(plistlib.dumps(plist, fmt=plistlib.FMT_BINARY))


def class_of(*names):
    return {"$classes": list(names), "$classname": names[0]}


date = {"$class": UID(5), "NS.time": -63114076800.0}
seen = nska_deserialize.deserialize_plist(archive(
    {"$class": UID(2), "NS.objects": [UID(0), UID(3), UID(4)]}, class_of("NSArray", "NSObject"), "", date,
    class_of("NSDate", "NSObject")))
print("nil, an empty text, a date of year 1:", seen)
assert seen == ["", "", ""], "the behaviour has changed"

seen = nska_deserialize.deserialize_plist(archive(
    {"$class": UID(2), "NS.keys": [UID(3), UID(4)], "NS.objects": [UID(5), UID(6)]}, class_of("NSDictionary", "NSObject"),
    1, "1", "of the number", "of the text"))
print("keys 1 and '1':", seen)
assert seen == {"1": "of the text"}, "the behaviour has changed"

members = [chr(ord("a") + number) for number in range(12)]
seen = nska_deserialize.deserialize_plist(archive(
    {"$class": UID(2), **{f"NS.object.{number}": UID(3 + number) for number in range(12)}},
    class_of("NSOrderedSet", "NSObject"), *members))
print("an ordered set:", list(seen.values()))
assert list(seen.values()) == ["a", "b", "k", "l", "c", "d", "e", "f", "g", "h", "i", "j"], "the behaviour has changed"

seen = nska_deserialize.deserialize_plist(archive(
    {"$class": UID(2), "NS.objects": [UID(3)]}, class_of("NSArray", "NSObject"), {"$class": UID(4), "NS.data": b"\1\2"},
    class_of("NSMutableData", "NSData", "NSObject")))
print("mutable data:", seen)
assert seen == [{"NS.data": b"\1\2"}], "the behaviour has changed"
print("as found")
PYTHON
