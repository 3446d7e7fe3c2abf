import CoreDataStore

/// The entries of a side table in memory, sorted by key.
struct MemorySideTable {
    private var values: [[UInt8]: [UInt8]] = [:]
    private var keys: [[UInt8]] = []

    subscript(key: [UInt8]) -> [UInt8]? { values[key] }

    func entries(withPrefix prefix: [UInt8], after key: [UInt8]? = nil, atMost count: Int = .max) -> [SideEntry] {
        var index = position(of: key ?? prefix)
        if let key, index < keys.count, keys[index] == key { index += 1 }
        var found: [SideEntry] = []
        while index < keys.count, found.count < count, keys[index].starts(with: prefix) {
            found.append(SideEntry(key: keys[index], value: values[keys[index]]))
            index += 1
        }
        return found
    }

    /// Merges the new keys into the sorted ones in one pass, so that many entries cost no more than sorting them.
    mutating func write(_ entries: [SideEntry]) {
        var added: [[UInt8]] = []
        var hasRemovals = false
        for entry in entries {
            if let value = entry.value {
                if values.updateValue(value, forKey: entry.key) == nil { added.append(entry.key) }
            } else if values.removeValue(forKey: entry.key) != nil {
                hasRemovals = true
            }
        }
        if hasRemovals {
            keys.removeAll { values[$0] == nil }
            added.removeAll { values[$0] == nil }
        }
        guard !added.isEmpty else { return }
        let sorted = Set(added).subtracting(hasRemovals ? keys : []).sorted { $0.lexicographicallyPrecedes($1) }
        keys = merged(keys, sorted)
    }

    private func merged(_ left: [[UInt8]], _ right: [[UInt8]]) -> [[UInt8]] {
        if let last = left.last, let first = right.first, last.lexicographicallyPrecedes(first) { return left + right }
        var result: [[UInt8]] = []
        result.reserveCapacity(left.count + right.count)
        var (one, other) = (0, 0)
        while one < left.count, other < right.count {
            if left[one].lexicographicallyPrecedes(right[other]) {
                result.append(left[one])
                one += 1
            } else {
                result.append(right[other])
                other += 1
            }
        }
        return result + left[one...] + right[other...]
    }

    /// The index of the first key that does not precede another.
    private func position(of key: [UInt8]) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
