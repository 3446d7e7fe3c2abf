/// Keys with sizes, in the order of their last use. Each operation takes the same time, however many there are.
struct LeastRecentlyUsed<Key: Hashable & Sendable>: Sendable {
    private struct Node: Sendable {
        var older: Key?
        var newer: Key?
        var size: Int
    }

    private var nodes: [Key: Node] = [:]
    private var oldest: Key?
    private var newest: Key?
    /// The sum of all sizes.
    private(set) var totalSize = 0

    var count: Int { nodes.count }

    /// Adds a key, or gives it another size, as the one that was used last.
    mutating func insert(_ key: Key, size: Int) {
        remove(key)
        nodes[key] = Node(older: newest, newer: nil, size: size)
        if let newest { nodes[newest]?.newer = key }
        newest = key
        if oldest == nil { oldest = key }
        totalSize += size
    }

    /// Makes a key the one that was used last; false if it is not there.
    @discardableResult
    mutating func use(_ key: Key) -> Bool {
        guard let node = nodes[key] else { return false }
        if key != newest { insert(key, size: node.size) }
        return true
    }

    mutating func remove(_ key: Key) {
        guard let node = nodes.removeValue(forKey: key) else { return }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        totalSize -= node.size
    }

    /// Removes the keys that were not used for longest until the rest is no larger than a limit; returns them.
    mutating func shrink(to limit: Int) -> [Key] {
        var removed: [Key] = []
        while totalSize > limit, let key = oldest {
            remove(key)
            removed.append(key)
        }
        return removed
    }
}
