import CoreDataStore

/// Which records of another store those of a copy are, where the copy could not give them the same keys.
///
/// A file of records numbers those of all entities together, tables number each family of entities for itself. The store keeps
/// this in its metadata, as runs of consecutive keys: `{"origin": UUID, "runs": {root entity: [original, key, count, …]}}`.
package struct CopiedKeys {
    package static let metadataKey = "OpenCoreDataCopiedKeys"
    /// More runs than this are not kept: the metadata is read with every opening.
    private static let mostRuns = 50_000

    private struct Run {
        let original: Int64
        let key: Int64
        var count: Int64
    }

    /// The identity of the store that was copied.
    package let origin: String
    /// In the order of the keys, by the name of the root entity.
    private var runs: [String: [Run]] = [:]

    /// - Parameter keys: the pairs of each root entity, in any order.
    /// - Returns: nil where there are too many runs.
    init?(origin: String, _ keys: [String: [(original: Int64, key: Int64)]]) {
        self.origin = origin
        var total = 0
        for (root, pairs) in keys {
            var found: [Run] = []
            for pair in pairs.sorted(by: { $0.key < $1.key }) {
                if let last = found.last, pair.key == last.key + last.count,
                    pair.original == last.original + last.count
                {
                    found[found.count - 1].count += 1
                } else {
                    found.append(Run(original: pair.original, key: pair.key, count: 1))
                }
            }
            total += found.count
            guard total <= Self.mostRuns else { return nil }
            runs[root] = found
        }
    }

    /// What a store's metadata say; nil where they say nothing of it, or what cannot be.
    package init?(of metadata: [String: Any]) {
        guard let list = metadata[Self.metadataKey] as? [String: Any], let origin = list["origin"] as? String,
            let named = list["runs"] as? [String: [NSNumber]]
        else { return nil }
        self.origin = origin
        for (root, numbers) in named {
            let numbers = numbers.map(\.int64Value)
            guard numbers.count.isMultiple(of: 3), numbers.count <= Self.mostRuns * 3,
                numbers.allSatisfy({ 1..<1 << 48 ~= $0 })
            else { return nil }
            runs[root] = stride(from: 0, to: numbers.count, by: 3)
                .map { Run(original: numbers[$0], key: numbers[$0 + 1], count: numbers[$0 + 2]) }
                .sorted { $0.key < $1.key }
        }
    }

    /// The form in which metadata have it.
    var propertyList: [String: Any] {
        ["origin": origin, "runs": runs.mapValues { $0.flatMap { [$0.original, $0.key, $0.count] } }]
    }

    /// The key in the other store of the record that has a key in this one; nil for one that was not copied.
    package func original(of key: Int64, root: String) -> Int64? {
        guard let runs = runs[root] else { return nil }
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0, key - runs[low - 1].key < runs[low - 1].count else { return nil }
        return runs[low - 1].original + (key - runs[low - 1].key)
    }
}
