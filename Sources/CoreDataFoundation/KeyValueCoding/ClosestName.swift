/// The name nearest to a misspelt one, for suggestions in error messages; nil where none is near.
///
/// Near means an edit distance of at most a third of the name's length and at least one; letter case does not count.
/// Names over 100 characters are not compared, so the cost stays bounded for input from outside.
package func closestName(to name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased())
    guard !wanted.isEmpty, wanted.count <= 100 else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name && abs(candidate.count - wanted.count) <= limit {
        let distance = editDistance(wanted, Array(candidate.lowercased()))
        guard distance <= limit else { continue }
        guard let current = best else {
            best = (candidate, distance)
            continue
        }
        if (distance, candidate) < (current.distance, current.name) { best = (candidate, distance) }
    }
    return best?.name
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
