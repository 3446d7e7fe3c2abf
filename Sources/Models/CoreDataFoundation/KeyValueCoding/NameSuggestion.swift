/// The names that come nearest to a mistyped one, for error messages: at most three, the nearest first.
///
/// A name is near if its edit distance is at most a third of the mistyped name's length, or 1, and exceeds the smallest
/// distance by at most 1; letter case does not count. For a mistyped name over 100 characters nothing is suggested, so
/// the cost stays bounded for input from outside.
package struct NameSuggestion: Equatable, Sendable {
    private static let mostNames = 3
    private static let longestName = 100

    /// At least one.
    package let names: [String]

    /// Nil where none is near.
    package init?(for name: String, in candidates: some Sequence<String>) {
        let wanted = Array(name.lowercased())
        guard !wanted.isEmpty, wanted.count <= Self.longestName else { return nil }
        var limit = max(1, wanted.count / 3)
        // Only the three nearest so far are kept: there may be tens of thousands of candidates.
        var nearest: [(distance: Int, name: String)] = []
        for candidate in candidates where candidate != name && abs(candidate.count - wanted.count) <= limit {
            let found = (distance: editDistance(wanted, Array(candidate.lowercased())), name: candidate)
            guard found.distance <= limit, !nearest.contains(where: { $0.name == candidate }) else { continue }
            limit = min(limit, found.distance + 1)
            let place = nearest.firstIndex { found < $0 } ?? nearest.count
            nearest.insert(found, at: place)
            if nearest.count > Self.mostNames { nearest.removeLast() }
        }
        names = nearest.filter { $0.distance <= limit }.map(\.name)
        if names.isEmpty { return nil }
    }

    /// A suggestion of one name that is known to be right.
    package init(_ name: String) { names = [name] }

    /// Returns the suggestion with each name converted to the form in which it has to be written.
    package func renamed(_ form: (String) -> String) -> NameSuggestion { NameSuggestion(names: names.map(form)) }

    private init(names: [String]) { self.names = names }

    /// `did you mean 'name', 'nose' or 'note'?`
    package var question: String { question { "'\($0)'" } }

    /// `Did you mean 'name'?`, for hints that are sentences.
    package var sentence: String { "D" + question.dropFirst() }

    /// Returns the question with each name converted by `form`.
    package func question(_ form: (String) -> String) -> String {
        let forms = names.map(form)
        let first = forms.dropLast().joined(separator: ", ")
        return "did you mean \(first.isEmpty ? "" : first + " or ")\(forms.last ?? "")?"
    }
}

/// The name that comes nearest to a mistyped one, as `NameSuggestion` finds it; nil where none is near.
package func closestName(to name: String, in candidates: some Sequence<String>) -> String? {
    NameSuggestion(for: name, in: candidates)?.names.first
}

/// The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for (row, character) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var cost = min(
                previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1))
            if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                cost = min(cost, beforePrevious[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
