/// An index from each key to its places in a list of keys that only grows; takes 8 to 20 bytes per place.
///
/// Invariants:
/// 1. `last[slot]` is the last place of the slot's key, or -1 for a free slot; at most half of the slots are used.
/// 2. `next` leads from each place to the next place with the same key, and from the last such place to the first.
struct RecordChains {
    private var last: [Int32] = Array(repeating: -1, count: 16)
    private var next: [Int32] = []
    private var keyCount = 0

    /// Adds the last element of the list to the index.
    mutating func takeLast(of keys: [UInt64]) {
        if (keyCount + 1) * 2 > last.count { grow(keys) }
        let place = Int32(keys.count - 1)
        let slot = slot(of: keys[keys.count - 1], in: keys)
        if last[slot] < 0 {
            next.append(place)
            keyCount += 1
        } else {
            next.append(next[Int(last[slot])])
            next[Int(last[slot])] = place
        }
        last[slot] = place
    }

    /// The places of a key, in ascending order.
    func places(of key: UInt64, in keys: [UInt64]) -> [Int] {
        let end = last[slot(of: key, in: keys)]
        guard end >= 0 else { return [] }
        var places: [Int] = []
        var place = next[Int(end)]
        while place != end {
            places.append(Int(place))
            place = next[Int(place)]
        }
        return places + [Int(end)]
    }

    /// Whether a place is the first one of its key.
    func isFirst(_ place: Int, in keys: [UInt64]) -> Bool {
        let end = last[slot(of: keys[place], in: keys)]
        return end >= 0 && next[Int(end)] == place
    }

    private func slot(of key: UInt64, in keys: [UInt64]) -> Int {
        let mask = last.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
        while last[slot] >= 0, keys[Int(last[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow(_ keys: [UInt64]) {
        let former = last
        last = Array(repeating: -1, count: former.count * 2)
        for place in former where place >= 0 { last[slot(of: keys[Int(place)], in: keys)] = place }
    }
}
