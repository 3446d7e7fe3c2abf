import CoreDataStore

/// Which records of another store those of a copy are, and which those of the stores that this one was copied from.
///
/// A file of records numbers those of all entities together, tables number each family of entities for itself. The store keeps
/// this in its metadata, as runs of consecutive keys: `{"origin": UUID, "runs": {root entity: [original, key, count, …]},
/// "former": …}`. Without runs all keys are the same; `former` is what the origin's metadata say in turn.
package struct CopiedKeys {
    package static let metadataKey = MetadataRules.copiedKeys
    /// More runs than this are not kept: the metadata is read with every opening.
    private static let mostRuns = 50_000
    /// How many copies after each other are remembered.
    private static let mostLinks = 16

    private struct Run {
        let original: Int64
        let key: Int64
        var count: Int64
    }

    /// One copy: the identity of the store that was copied, and the runs in the order of the keys, by the name of the root entity;
    /// nil where all keys are the same.
    private struct Link {
        let origin: String
        let runs: [String: [Run]]?

        var runCount: Int { runs?.values.reduce(0) { $0 + $1.count } ?? 0 }
    }

    /// The copies, the last first.
    private var links: [Link]

    /// The identities of the stores that this one comes from, the nearest first.
    package var origins: [String] { links.map(\.origin) }

    /// - Parameters:
    ///   - keys: the pairs of each root entity, in any order; nil where all keys are the same.
    ///   - former: what the metadata of the store that was copied say.
    /// - Returns: nil where there are too many runs.
    init?(origin: String, _ keys: [String: [(original: Int64, key: Int64)]]?, after former: CopiedKeys?) {
        let link = Link(origin: origin, runs: keys?.mapValues(Self.runs))
        guard link.runCount <= Self.mostRuns else { return nil }
        links = [link]
        var total = link.runCount
        for older in former?.links.prefix(Self.mostLinks - 1) ?? [] {
            total += older.runCount
            guard total <= Self.mostRuns else { return }
            links.append(older)
        }
    }

    private static func runs(_ pairs: [(original: Int64, key: Int64)]) -> [Run] {
        var found: [Run] = []
        for pair in pairs.sorted(by: { $0.key < $1.key }) {
            if let last = found.last, pair.key == last.key + last.count, pair.original == last.original + last.count {
                found[found.count - 1].count += 1
            } else {
                found.append(Run(original: pair.original, key: pair.key, count: 1))
            }
        }
        return found
    }

    /// What a store's metadata say; nil where they say nothing of it, or what cannot be.
    package init?(of metadata: [String: Any]) {
        links = []
        var next = metadata[Self.metadataKey]
        while links.count < Self.mostLinks, let list = next as? [String: Any] {
            guard let link = Self.link(list) else { return nil }
            links.append(link)
            next = list["former"]
        }
        guard !links.isEmpty, links.reduce(0, { $0 + $1.runCount }) <= Self.mostRuns else { return nil }
    }

    private static func link(_ list: [String: Any]) -> Link? {
        guard let origin = list["origin"] as? String else { return nil }
        guard let named = list["runs"] else { return Link(origin: origin, runs: nil) }
        guard let named = named as? [String: [NSNumber]] else { return nil }
        var runs: [String: [Run]] = [:]
        for (root, numbers) in named {
            let numbers = numbers.map(\.int64Value)
            guard numbers.count.isMultiple(of: 3), numbers.count <= mostRuns * 3,
                numbers.allSatisfy({ 1..<1 << 48 ~= $0 })
            else { return nil }
            runs[root] = stride(from: 0, to: numbers.count, by: 3)
                .map { Run(original: numbers[$0], key: numbers[$0 + 1], count: numbers[$0 + 2]) }
                .sorted { $0.key < $1.key }
        }
        return Link(origin: origin, runs: runs)
    }

    /// The form in which metadata have it.
    var propertyList: [String: Any] {
        var list: [String: Any] = [:]
        for link in links.reversed() {
            let former = list
            list = ["origin": link.origin]
            list["runs"] = link.runs?.mapValues { $0.flatMap { [$0.original, $0.key, $0.count] } }
            if !former.isEmpty { list["former"] = former }
        }
        return list
    }

    /// The key in another store, one of `origins`, of the record that has a key in this one; nil for one that does not come from
    /// there.
    package func original(of key: Int64, root: String, in origin: String) -> Int64? {
        var key = key
        for link in links {
            guard let earlier = Self.original(of: key, link.runs.map { $0[root] ?? [] }) else { return nil }
            key = earlier
            if link.origin == origin { return key }
        }
        return nil
    }

    private static func original(of key: Int64, _ runs: [Run]?) -> Int64? {
        guard let runs else { return key }
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0, key - runs[low - 1].key < runs[low - 1].count else { return nil }
        return runs[low - 1].original + (key - runs[low - 1].key)
    }
}
