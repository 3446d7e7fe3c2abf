/// A sort descriptor that sorts by how well texts match the words of a search.
package final class RankSortDescriptor: NSSortDescriptor {
    let rank: SearchRank

    init(rank: SearchRank, ascending: Bool) {
        self.rank = rank
        super.init(keyPath: \Any.self, ascending: ascending, comparator: { _, _ in .orderedSame })
    }

    /// The order of two objects by the texts at the key paths; stops the process for an unknown key.
    package override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        orStop {
            let left = try rank.value { try KeyPathReader.value(at: $0, of: object1) }
            let right = try rank.value { try KeyPathReader.value(at: $0, of: object2) }
            guard left != right else { return .orderedSame }
            return (left < right) == ascending ? .orderedAscending : .orderedDescending
        }
    }

    package override var reversedSortDescriptor: Any { RankSortDescriptor(rank: rank, ascending: !ascending) }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? RankSortDescriptor else { return false }
        return rank == other.rank && ascending == other.ascending
    }

    package override var hash: Int {
        var hasher = Hasher()
        hasher.combine(rank)
        hasher.combine(ascending)
        return hasher.finalize()
    }

    package override var description: String {
        let (words, keys) = (rank.words, rank.keyPaths.joined(separator: ", "))
        return "(rank of '\(words)' in \(keys), \(ascending ? "ascending" : "descending"))"
    }
}

extension NSSortDescriptor {
    /// Sorts by how well the texts at key paths match the words of a search, the best first unless `ascending`.
    ///
    /// Not in Apple's framework. The rank is the sum of `rankOfWords:in:` over the key paths; a text without all words
    /// adds 0. SQLite stores use the search index of marked attributes.
    public static func searchRank(
        of words: String, in keyPaths: [String], ascending: Bool = false
    ) -> NSSortDescriptor {
        RankSortDescriptor(rank: SearchRank(words: words, keyPaths: keyPaths), ascending: ascending)
    }
}
