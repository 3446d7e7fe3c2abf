#!/bin/sh
# Number parsing of the open-source Foundation stops where the text no longer fits, and gives what it has.
#
# Package: Foundation of the Swift toolchain 6.3.1 (Linux).
# Input:   numbers with the separators of another locale, or followed by letters.
# Seen:    Double(_:format:) and Decimal(_:format:) read "1,5" in en_US and "1.5" in de_DE as 1, and "12abc" as 12. NumberFormatter
#          refuses the first two and reads the third as 12. Decimal(string:locale:) knows no grouping: "1,234.5" in en_US is 1,
#          and so is "1.234,5" in de_DE; digits other than ASCII are nil.
# Expected: an error, or the whole number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

func shown<T>(_ value: T?) -> String { value.map { "\($0)" } ?? "nil" }
for (text, name) in [
    ("1,5", "en_US"), ("1.5", "de_DE"), ("1,234.5", "en_US"), ("1.234,5", "de_DE"), ("12abc", "en_US"), ("١٢٣", "ar_EG"),
] {
    let locale = Locale(identifier: name)
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    print(
        text, name, "style", shown(try? Double(text, format: .number.locale(locale))),
        shown(try? Decimal(text, format: .number.locale(locale))),
        "formatter", shown(formatter.number(from: text)), "Decimal(string:)", shown(Decimal(string: text, locale: locale)))
}
SWIFT
swiftc -o "$folder/program" "$folder/main.swift"
"$folder/program" | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
1,5 en_US style 1.0 1 formatter nil Decimal(string:) 1
1.5 de_DE style 1.0 1 formatter nil Decimal(string:) 1
1,234.5 en_US style 1234.5 1234.5 formatter 1234.5 Decimal(string:) 1
1.234,5 de_DE style 1234.5 1234.5 formatter 1234.5 Decimal(string:) 1
12abc en_US style 12.0 12 formatter 12.0 Decimal(string:) 12
١٢٣ ar_EG style 123.0 123 formatter 123 Decimal(string:) nil
TEXT
diff "$folder/expected" "$folder/seen" && echo "as found"
