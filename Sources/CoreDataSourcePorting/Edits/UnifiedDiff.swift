/// What edits change in a text, in the form that `diff -u` prints and `patch` reads.
package struct UnifiedDiff {
    /// Lines around a change.
    private static let margin = 3

    private struct Change {
        /// The lines that go.
        var lines: Range<Int>
        var added: [Substring]
    }

    private let path: String
    private let lines: [Substring]
    private var changes: [Change] = []

    /// The difference that edits make to the file at a path; an empty old text is a file that is made.
    package init(path: String, text: [UInt8], edits: [TextEdit]) {
        self.path = path
        lines = Self.lines(String(decoding: text, as: UTF8.self))
        var starts = [0]
        for line in lines { starts.append(starts[starts.count - 1] + line.utf8.count) }
        for group in Self.grouped(edits.inOrder, starts) {
            let bytes = starts[group.lines.lowerBound]..<starts[group.lines.upperBound]
            let moved = group.edits.map {
                TextEdit(
                    $0.range.lowerBound - bytes.lowerBound..<$0.range.upperBound - bytes.lowerBound, $0.replacement)
            }
            let after = moved.applied(to: Array(text[bytes]))
            let added = Self.lines(String(decoding: after, as: UTF8.self))
            let change = trimmed(Change(lines: group.lines, added: added))
            if !change.lines.isEmpty || !change.added.isEmpty { changes.append(change) }
        }
    }

    /// A change without the lines at its ends that stay as they are.
    private func trimmed(_ change: Change) -> Change {
        var change = change
        while let first = change.added.first, !change.lines.isEmpty, lines[change.lines.lowerBound] == first {
            change.added.removeFirst()
            change.lines.removeFirst()
        }
        while let last = change.added.last, !change.lines.isEmpty, lines[change.lines.upperBound - 1] == last {
            change.added.removeLast()
            change.lines.removeLast()
        }
        return change
    }

    /// Lines with their ends; what stands behind the last end is a line too.
    private static func lines(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(rest[..<next])
            rest = rest[next...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    /// The edits that touch the same lines together.
    private static func grouped(
        _ edits: [TextEdit], _ starts: [Int]
    ) -> [(lines: Range<Int>, edits: [TextEdit])] {
        var groups: [(lines: Range<Int>, edits: [TextEdit])] = []
        let last = starts.count - 1
        for edit in edits {
            let first = min(starts.partitioned { $0 <= edit.range.lowerBound } - 1, max(last - 1, 0))
            let end = min(max(starts.partitioned { $0 <= edit.range.upperBound }, first + 1), last)
            if let group = groups.last, first < group.lines.upperBound {
                groups[groups.count - 1] = (
                    group.lines.lowerBound..<max(end, group.lines.upperBound), group.edits + [edit]
                )
            } else {
                groups.append((first..<max(end, first), [edit]))
            }
        }
        return groups
    }

    /// The text of the difference; empty without changes.
    package var text: String {
        guard !changes.isEmpty else { return "" }
        var text = "--- \(lines.isEmpty ? "/dev/null" : path)\n+++ \(path)\n"
        var shift = 0
        for hunk in hunks { text += self.text(of: hunk, &shift) }
        return text
    }

    /// The changes whose margins touch, together.
    private var hunks: [[Change]] {
        var hunks: [[Change]] = []
        for change in changes {
            if let last = hunks.last?.last, change.lines.lowerBound - last.lines.upperBound <= 2 * Self.margin {
                hunks[hunks.count - 1].append(change)
            } else {
                hunks.append([change])
            }
        }
        return hunks
    }

    private func text(of hunk: [Change], _ shift: inout Int) -> String {
        guard let first = hunk.first, let last = hunk.last else { return "" }
        let start = max(0, first.lines.lowerBound - Self.margin)
        let end = min(lines.count, last.lines.upperBound + Self.margin)
        let growth = hunk.reduce(0) { $0 + $1.added.count - $1.lines.count }
        var text = "@@ -\(Self.range(start, end - start)) +\(Self.range(start + shift, end - start + growth)) @@\n"
        shift += growth
        var place = start
        for change in hunk {
            text += lines[place..<change.lines.lowerBound].map { Self.line(" ", $0) }.joined()
            text += lines[change.lines].map { Self.line("-", $0) }.joined()
            text += change.added.map { Self.line("+", $0) }.joined()
            place = change.lines.upperBound
        }
        return text + lines[place..<end].map { Self.line(" ", $0) }.joined()
    }

    private static func range(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }

    private static func line(_ mark: String, _ line: Substring) -> String {
        line.utf8.last == UInt8(ascii: "\n") ? mark + line : "\(mark)\(line)\n\\ No newline at end of file\n"
    }
}

extension Array {
    /// The number of elements at the beginning for which a condition holds, found by halving.
    fileprivate func partitioned(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
