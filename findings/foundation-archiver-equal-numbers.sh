#!/bin/sh
# NSKeyedArchiver of the open-source Foundation gives numbers that compare equal one entry, whatever their types.
#
# Package: Foundation of the Swift toolchain 6.3.1 (Linux).
# Input:   arrays of numbers, archived and read back.
# Seen:    [true, 1] is read back as [true, true], [1, 1.0] as [1, 1], [0.0, -0.0] as [0.0, 0.0], and 2^63 as a Double after
#          Int64.max as Int64.max: a value changes, not only its type. Property lists of the same Foundation keep all four.
# Expected: values as they were written, as Apple's archiver gives them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

func described(_ values: [Any]) -> String {
    values.map { value in
        if type(of: value) == Bool.self { return "Bool \(value)" }
        guard let number = value as? NSNumber else { return "?" }
        return ["d", "f"].contains(String(cString: number.objCType)) ? "Double \(number)" : "Int \(number)"
    }.joined(separator: ", ")
}

for values: [Any] in [[true, 1], [1, 1.0], [0.0, -0.0], [Int64.max, 9223372036854775808.0]] {
    let archive = try NSKeyedArchiver.archivedData(withRootObject: values as NSArray, requiringSecureCoding: false)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSNumber.self], from: archive)
    let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    let listed = try PropertyListSerialization.propertyList(from: list, options: [], format: nil)
    print("archive:", described((read as! NSArray).map { $0 }), "| property list:", described(listed as! [Any]))
}
SWIFT
swiftc -o "$folder/program" "$folder/main.swift"
"$folder/program" | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
archive: Bool true, Bool true | property list: Bool true, Int 1
archive: Int 1, Int 1 | property list: Int 1, Double 1.0
archive: Double 0.0, Double 0.0 | property list: Double 0.0, Double -0.0
archive: Int 9223372036854775807, Int 9223372036854775807 | property list: Int 9223372036854775807, Double 9.223372036854776e+18
TEXT
diff "$folder/expected" "$folder/seen" && echo "as found"
