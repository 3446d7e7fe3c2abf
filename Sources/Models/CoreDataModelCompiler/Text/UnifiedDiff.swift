/// The differences between two texts, in the form that `diff -u` prints and `patch` reads.
package struct UnifiedDiff {
    /// The number of unchanged lines before and after a change.
    private static let margin = 3

    /// A range of lines of the old text that is replaced by other lines.
    package struct Change {
        package var lines: Range<Int>
        package var added: [Substring]

        package init(lines: Range<Int>, added: [Substring]) { (self.lines, self.added) = (lines, added) }
    }

    private let path: String
    private let lines: [Substring]
    private let changes: [Change]

    /// Makes the difference for the file at a path from changes of lines, in their order.
    ///
    /// - Parameter lines: the lines of the old text; empty for a new file.
    package init(path: String, lines: [Substring], changes: [Change]) {
        self.path = path
        self.lines = lines
        self.changes = changes.map { Self.trimmed($0, of: lines) }.filter { !$0.lines.isEmpty || !$0.added.isEmpty }
    }

    /// Makes the difference between two texts of the file at a path.
    package init(path: String, from old: String, to new: String) {
        let (old, new) = (Self.lines(old), Self.lines(new))
        let same = zip(old, new).prefix { $0 == $1 }.count
        let rest = (old: old[same...], new: new[same...])
        let sameEnd = zip(rest.old.reversed(), rest.new.reversed()).prefix { $0 == $1 }.count
        self.init(
            path: path, lines: old, changes: Self.changes(rest.old.dropLast(sameEnd), rest.new.dropLast(sameEnd)))
    }

    private static func changes(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Change] {
        var (removed, added) = (Set<Int>(), Set<Int>())
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(old.startIndex + offset)
            case .insert(let offset, _, _): added.insert(new.startIndex + offset)
            }
        }
        var changes: [Change] = []
        var (left, right) = (old.startIndex, new.startIndex)
        while left < old.endIndex || right < new.endIndex {
            var change = Change(lines: left..<left, added: [])
            while removed.contains(left) { left += 1 }
            while added.contains(right) {
                change.added.append(new[right])
                right += 1
            }
            change.lines = change.lines.lowerBound..<left
            if !change.lines.isEmpty || !change.added.isEmpty { changes.append(change) }
            guard left < old.endIndex else { break }
            (left, right) = (left + 1, right + 1)
        }
        return changes
    }

    /// The change without lines at its start and end that are equal in both texts.
    private static func trimmed(_ change: Change, of lines: [Substring]) -> Change {
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

    /// The lines with their line breaks; text after the last line break is a line too.
    package static func lines(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(rest[..<next])
            rest = rest[next...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    /// The text of the difference; empty without changes.
    package var text: String {
        guard !changes.isEmpty else { return "" }
        // After a name with spaces `patch` needs a tab to recognize the end of the name.
        let name = path.contains(" ") ? path + "\t" : path
        var text = "--- \(lines.isEmpty ? "/dev/null" : name)\n+++ \(name)\n"
        var shift = 0
        for hunk in hunks { text += self.text(of: hunk, &shift) }
        return text
    }

    /// The changes in groups; those with overlapping or adjacent margins are in one group.
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
