import CoreDataStore

/// Maps the keys of a copied store's records to the keys of the same records in the stores that it was copied from.
///
/// A copy may assign other keys: a record file numbers the records of all entities together, SQL tables those of each
/// root entity. The copy keeps this map in its metadata, as runs of consecutive keys: `{"origin": UUID, "runs": {root
/// entity: [original, key, count, ...]}, "former": ...}`. Without `runs` all keys are the same; `former` is the map in
/// the origin's metadata.
package struct CopiedKeys {
    package static let metadataKey = MetadataRules.copiedKeys
    /// The greatest number of runs that are kept, since the metadata is read whenever the store is opened.
    private static let mostRuns = 50_000
    /// The greatest number of successive copies that are kept.
    private static let mostLinks = 16

    private struct Run {
        let original: Int64
        let key: Int64
        var count: Int64
    }

    /// One copy: the UUID of the store that was copied, and the runs by the name of the root entity, in the order of
    /// the copy's keys; nil if all keys are the same.
    private struct Link {
        let origin: String
        let runs: [String: [Run]]?

        var runCount: Int { runs?.values.reduce(0) { $0 + $1.count } ?? 0 }
    }

    /// The successive copies, the latest first.
    private var links: [Link]

    /// The UUIDs of the stores that this one was copied from, directly or indirectly, the latest first.
    package var origins: [String] { links.map(\.origin) }

    /// - Parameters:
    ///   - keys: the pairs of keys of each root entity, in any order; nil if all keys are the same.
    ///   - former: the map in the metadata of the store that was copied.
    /// - Returns: nil if there are too many runs.
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

    /// Reads the map in a store's metadata; nil if there is none, or it is malformed.
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

    /// The map as a property list for the metadata.
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

    /// Returns the key that the record with a key in this store has in another store, one of `origins`; nil if the
    /// record does not come from that store.
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
