#!/bin/sh
# translate-toolkit: a .stringsdict that is read and saved unchanged loses plural forms, and has forms of others in their place.
#
# Package: translate-toolkit 3.20.4 (PyPI), which reads and writes Apple's tables of plural forms.
# Input:   LANGUAGE.lproj/Localizable.stringsdict with one text, for Polish (one, few, many, other), German (one, other) and Arabic
#          (all six), each as it stands in the folder of its language.
# Seen:    German has no text at all any more, Polish has no "few" and the text of "few" under "many" and "other"; Arabic, which has
#          all forms, is as before. The file is read with the six forms of CLDR, as its folder is not known yet, and written with those
#          of the language, one for one.
# Expected: what was read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install translate-toolkit==3.20.4
cd "$folder"
venv/bin/python - <<'PYTHON'
import pathlib
import plistlib

from translate.storage.stringsdict import StringsDictFile


def saved(language, forms):
    path = pathlib.Path(f"{language}.lproj/Localizable.stringsdict")
    path.parent.mkdir()
    variable = {"NSStringFormatSpecTypeKey": "NSStringPluralRuleType", "NSStringFormatValueTypeKey": "d"}
    variable |= {form: f"%d ({form})" for form in forms}
    path.write_bytes(plistlib.dumps({"apples": {"NSStringLocalizedFormatKey": "%#@n@", "n": variable}}))
    store = StringsDictFile.parsefile(str(path))
    store.save()
    found = plistlib.loads(path.read_bytes()).get("apples", {}).get("n", {})
    return {form: found.get(form) for form in forms}


german = saved("de", ["one", "other"])
polish = saved("pl", ["one", "few", "many", "other"])
arabic = saved("ar", ["zero", "one", "two", "few", "many", "other"])
print("German", german, "Polish", polish, "Arabic", arabic, sep="\n")
assert german == {"one": None, "other": None}, "the behaviour has changed"
assert polish == {"one": "%d (one)", "few": None, "many": "%d (few)", "other": "%d (few)"}, "the behaviour has changed"
assert all(text == f"%d ({form})" for form, text in arabic.items()), "the behaviour has changed"
print("as found")
PYTHON
