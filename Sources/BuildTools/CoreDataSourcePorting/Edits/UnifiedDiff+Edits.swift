import CoreDataModelCompiler

extension UnifiedDiff {
    /// Makes the difference between a file's text and the text after edits; `text` is empty for a new file.
    init(path: String, text: [UInt8], edits: [TextEdit]) {
        let lines = Self.lines(String(decoding: text, as: UTF8.self))
        var starts = [0]
        for line in lines { starts.append(starts[starts.count - 1] + line.utf8.count) }
        let changes = Self.grouped(edits.inOrder, starts).map { group in
            let bytes = starts[group.lines.lowerBound]..<starts[group.lines.upperBound]
            let moved = group.edits.map {
                TextEdit(
                    $0.range.lowerBound - bytes.lowerBound..<$0.range.upperBound - bytes.lowerBound, $0.replacement)
            }
            let after = moved.applied(to: Array(text[bytes]))
            return Change(lines: group.lines, added: Self.lines(String(decoding: after, as: UTF8.self)))
        }
        self.init(path: path, lines: lines, changes: changes)
    }

    /// Groups the edits that touch the same lines, each group with its range of lines.
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
}

extension Array {
    /// The number of leading elements that satisfy a condition, found by binary search.
    fileprivate func partitioned(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
