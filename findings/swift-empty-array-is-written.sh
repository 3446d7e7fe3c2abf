#!/bin/sh
# Array(unsafeUninitializedCapacity: 0) writes to the one empty array that all threads of a process share.
#
# Package: the standard library of the Swift toolchain 6.3.1 (Linux).
# Input:   two threads that make arrays for no elements by this initializer.
# Seen:    the thread sanitizer reports a data race on _swiftEmptyArrayStorage: the initializer stores the count of what was initialized in
#          the array's header, which without capacity is the shared, constant one. Programs that pass a computed capacity, which is 0
#          at times, are reported so; a guard before the initializer ends it.
# Expected: no write where there is no memory of the array's own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

let isGuarded = CommandLine.arguments.last == "guarded"

@inline(never) func copy(_ source: [Int]) -> [Int] {
    if isGuarded, source.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: source.count) { buffer, count in
        for value in source {
            (buffer.baseAddress! + count).initialize(to: value)
            count += 1
        }
    }
}

let threads = (0..<2).map { _ in Thread { for _ in 0..<1_000 { precondition(copy([]).isEmpty) } } }
for thread in threads { thread.start() }
while !threads.allSatisfy(\.isFinished) { usleep(1_000) }
SWIFT
swiftc -sanitize=thread -o "$folder/program" "$folder/main.swift"
races() { (TSAN_OPTIONS=exitcode=0 "$folder/program" "$1" 2>&1 || true) | grep -c "Location is global '_swiftEmptyArrayStorage'" || true; }
{
    echo "as it is: $([ "$(races plain)" -gt 0 ] && echo race || echo none)"
    echo "guarded: $([ "$(races guarded)" -gt 0 ] && echo race || echo none)"
} | tee "$folder/seen"
printf 'as it is: race\nguarded: none\n' >"$folder/expected"
diff "$folder/expected" "$folder/seen" && echo "as found"
