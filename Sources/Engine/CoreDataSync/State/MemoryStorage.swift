import Foundation

/// A storage in memory: of stores in memory, and of tests.
package struct MemoryStorage: SyncStorage, Sendable {
    private var values: [[UInt8]: [UInt8]] = [:]
    private var keys: [[UInt8]] = []

    package init() {}

    package var count: Int { keys.count }
    /// The bytes of all keys and values.
    package var size: Int { values.reduce(0) { $0 + $1.key.count + $1.value.count } }

    package func value(for key: [UInt8]) -> [UInt8]? { values[key] }

    package func entries(withPrefix prefix: [UInt8]) -> [StateEntry] {
        var index = position(of: prefix)
        var found: [StateEntry] = []
        while index < keys.count, keys[index].starts(with: prefix) {
            found.append(StateEntry(key: keys[index], value: values[keys[index]]))
            index += 1
        }
        return found
    }

    package func entries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) -> [StateEntry] {
        var index = position(of: key ?? prefix)
        if let key, index < keys.count, keys[index] == key { index += 1 }
        var found: [StateEntry] = []
        while index < keys.count, found.count < count, keys[index].starts(with: prefix) {
            found.append(StateEntry(key: keys[index], value: values[keys[index]]))
            index += 1
        }
        return found
    }

    package mutating func apply(_ changes: [StateEntry]) { for change in changes { apply(change) } }

    package mutating func apply(_ change: StateEntry) {
        let old =
            change.value.map { values.updateValue($0, forKey: change.key) } ?? values.removeValue(forKey: change.key)
        guard (old == nil) != (change.value == nil) else { return }
        let index = position(of: change.key)
        if change.value == nil { keys.remove(at: index) } else { keys.insert(change.key, at: index) }
    }

    /// The index of the first key that does not precede another.
    private func position(of key: [UInt8]) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if precedes(keys[middle], key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let common = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right -> Int32 in
                let count = min(left.count, right.count)
                guard count > 0, let one = left.baseAddress, let other = right.baseAddress else { return 0 }
                return memcmp(one, other, count)
            }
        }
        return common != 0 ? common < 0 : left.count < right.count
    }
}
