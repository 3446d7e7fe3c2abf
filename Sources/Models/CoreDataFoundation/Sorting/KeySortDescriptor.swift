/// A sort descriptor that is made with a key.
package final class KeySortDescriptor: NSSortDescriptor {
    let path: String?
    let comparison: SortComparison

    init(key: String?, ascending: Bool, comparison: SortComparison) {
        self.path = key
        self.comparison = comparison
        super.init(keyPath: \Any.self, ascending: ascending, comparator: comparison.comparator)
    }

    /// The order of two objects by their values for the key; stops the process for an unknown key, as Apple's does.
    package override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        orStop { try order(object1, object2) }
    }

    package override var reversedSortDescriptor: Any {
        KeySortDescriptor(key: path, ascending: !ascending, comparison: comparison)
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        if self === other { return true }
        guard let name = comparison.name, name == other.comparison.name else { return false }
        return path == other.path && ascending == other.ascending
    }

    package override var hash: Int {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(ascending)
        hasher.combine(comparison.name)
        return hasher.finalize()
    }

    package override var description: String {
        "(\(path ?? "SELF"), \(ascending ? "ascending" : "descending"), \(comparison.name ?? "block"))"
    }

    func order(_ left: Any?, _ right: Any?) throws -> ComparisonResult {
        let order = try comparison.order(value(of: left), value(of: right))
        return ascending ? order : order.reversed
    }

    private func value(of object: Any?) throws -> Any? {
        guard let path else { return object }
        return try KeyPathReader.value(at: path, of: object)
    }
}

extension NSSortDescriptor {
    /// The key or rank, the direction and the comparison of a descriptor of any class.
    package var sorting: Sorting {
        if let ranked = self as? RankSortDescriptor {
            return Sorting(key: nil, ascending: ascending, comparison: .standard, keyPath: nil, rank: ranked.rank)
        }
        guard let keyed = self as? KeySortDescriptor else {
            let comparison: SortComparison = isOrderedByValue ? .standard : .block(comparator)
            return Sorting(key: nil, ascending: ascending, comparison: comparison, keyPath: keyPath)
        }
        return Sorting(key: keyed.path, ascending: ascending, comparison: keyed.comparison, keyPath: nil)
    }

    private var isOrderedByValue: Bool { self is any OrderedByValue || NaturalOrder.orders(self) }
}
