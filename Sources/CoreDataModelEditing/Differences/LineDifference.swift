import CoreDataModeling

/// What differs between two texts, in the form that `diff -u` prints and `patch` reads.
package enum LineDifference {
    /// Lines around a change.
    private static let margin = 3

    /// One line of both texts, or of one of them.
    private struct Line {
        let mark: Character
        let text: Substring
    }

    /// The difference; empty for equal texts.
    package static func unified(path: String, from old: String, to new: String) -> String {
        guard old != new else { return "" }
        let lines = merged(self.lines(old), self.lines(new))
        // Behind a name with blanks `patch` needs a tab to see its end.
        let name = path.contains(" ") ? path + "\t" : path
        var text = "--- \(name)\n+++ \(name)\n"
        for hunk in hunks(lines) { text += self.text(of: lines[hunk], before: lines[..<hunk.lowerBound]) }
        return text
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

    private static func merged(_ old: [Substring], _ new: [Substring]) -> [Line] {
        let difference = new.difference(from: old)
        var removed = Set<Int>()
        var added = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(Line(mark: "-", text: old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(Line(mark: "+", text: new[right]))
                right += 1
            } else if left < old.count {
                lines.append(Line(mark: " ", text: old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }

    /// The places of changes with what is around them; those that touch are one.
    private static func hunks(_ lines: [Line]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for (index, line) in lines.enumerated() where line.mark != " " {
            let range = max(0, index - margin)..<min(lines.count, index + margin + 1)
            if let last = hunks.last, range.lowerBound <= last.upperBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    private static func text(of hunk: ArraySlice<Line>, before: ArraySlice<Line>) -> String {
        func range(without mark: Character) -> String {
            let start = before.count { $0.mark != mark }
            let count = hunk.count { $0.mark != mark }
            return "\(count == 0 ? start : start + 1),\(count)"
        }
        let head = "@@ -\(range(without: "+")) +\(range(without: "-")) @@\n"
        return hunk.reduce(into: head) { text, line in
            text += "\(line.mark)\(line.text)"
            if line.text.utf8.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n" }
        }
    }
}
