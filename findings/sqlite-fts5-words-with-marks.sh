#!/bin/sh
# SQLite's FTS5 cuts words of Hindi, Arabic, Hebrew, Thai and Tamil at their vowel signs, and keeps the accents of Greek.
#
# Package: SQLite 3.46.1 as in apsw 3.46.1.0 (PyPI).
# Input:   words in a table with the tokenizer unicode61, with and without remove_diacritics 2.
# Seen:    one word in Hindi becomes three terms of one consonant each, a vocalised Arabic word five; only Latin letters lose their
#          accents: é is e, ά stays. With categories 'L* N* Co Mn Mc' words stay whole, and then no mark of these scripts is removed.
# Expected: a word is one term, and remove_diacritics removes marks of any script; the manual does not limit it to Latin.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install apsw==3.46.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import apsw

print("SQLite", apsw.sqlite_lib_version())
connection = apsw.Connection(":memory:")


def terms(tokenizer, text):
    connection.execute("DROP TABLE IF EXISTS t")
    connection.execute("DROP TABLE IF EXISTS v")
    connection.execute(f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize="{tokenizer}")')
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    connection.execute("INSERT INTO t VALUES (?)", (text,))
    return [row[0] for row in connection.execute('SELECT term FROM v ORDER BY "offset"')]


words = {
    "हिन्दी": ["ह", "न", "द"], "العَرَبِيَّة": ["الع", "ر", "ب", "ي", "ة"], "עִבְרִית": ["ע", "ב", "ר", "ית"],
    "กำลัง": ["กำล", "ง"], "தமிழ்": ["தம", "ழ"], "Ελληνικά": ["ελληνικά"], "café": ["cafe"],
}
for word, expected in words.items():
    for tokenizer in ("unicode61", "unicode61 remove_diacritics 2"):
        seen = terms(tokenizer, word)
        print(tokenizer, word, seen)
        assert seen == expected, "the behaviour has changed"
whole = terms("unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", "हिन्दी العَرَبِيَّة")
print("with Mn and Mc", whole)
assert whole == ["हिन्दी", "العَرَبِيَّة"], "the behaviour has changed"
print("as found")
PYTHON
