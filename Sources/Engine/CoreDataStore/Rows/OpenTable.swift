import CoreDataModeling

/// A hash table with open addressing, from a row's primary key to a small trivial payload.
///
/// Invariants:
/// 1. `capacity` is zero or a power of two, and at most 13/16 of the places are used.
/// 2. A key is at its home place, or after it with no free place in between; a key is never placed after one that is
///    nearer to its own home (Robin Hood hashing), so that a search ends early and a removal moves few keys.
/// 3. While `seed` is zero, consecutive keys have consecutive homes, so that a scan in key order uses the cache well.
///    If a probe sequence exceeds `longestProbe` (keys chosen to collide), the table gets a random seed.
@usableFromInline
package struct OpenTable<Payload: BitwiseCopyable>: ~Copyable {
    @usableFromInline
    struct Place {
        @usableFromInline var key: Int64
        @usableFromInline var payload: Payload?

        @inlinable
        init(key: Int64, payload: Payload?) {
            self.key = key
            self.payload = payload
        }
    }

    @usableFromInline var places: UnsafeMutablePointer<Place>?
    @usableFromInline var capacity = 0
    @usableFromInline var seed: UInt64 = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable static var longestProbe: Int { 128 }

    @inlinable
    package init() {}

    @inlinable deinit { places?.deallocate() }

    /// The payload stored for a key.
    @inlinable
    package subscript(key: Int64) -> Payload? { find(key).flatMap { places?[$0].payload } }

    /// Sets the payload of a key, replacing a previous one.
    @inlinable
    package mutating func set(_ payload: Payload, for key: Int64) {
        if (count + 1) * 16 > capacity * 13 { resize(to: max(16, capacity * 2)) }
        guard let left = place(Place(key: key, payload: payload)) else { return }
        seed = UInt64.random(in: 1...UInt64.max) | 1
        resize(to: capacity)
        _ = place(left)
    }

    /// Removes the payload of a key if `condition` holds for it.
    @discardableResult
    @inlinable
    package mutating func remove(_ key: Int64, where condition: (Payload) -> Bool = { _ in true }) -> Bool {
        guard let places, let index = find(key), let payload = places[index].payload, condition(payload) else {
            return false
        }
        var hole = index
        var next = following(hole)
        while places[next].payload != nil, distance(of: next) > 0 {
            places[hole] = places[next]
            hole = next
            next = following(next)
        }
        places[hole].payload = nil
        count -= 1
        return true
    }

    /// Allocates room for `additional` more keys at once.
    @inlinable
    package mutating func reserve(_ additional: Int) {
        var wanted = max(16, capacity)
        while (count + additional) * 16 > wanted * 13 { wanted *= 2 }
        if wanted > capacity { resize(to: wanted) }
    }

    /// Calls `body` with every key and payload, in undefined order.
    @inlinable
    package func visit(_ body: (Int64, Payload) -> Void) {
        guard let places else { return }
        for index in 0..<capacity {
            if let payload = places[index].payload { body(places[index].key, payload) }
        }
    }

    /// Removes all keys and frees the memory.
    @inlinable
    package mutating func removeAll() {
        places?.deallocate()
        places = nil
        capacity = 0
        count = 0
    }

    @inlinable
    func home(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let mixed: UInt64
        if seed == 0 {
            mixed = bits ^ (bits >> 32)
        } else {
            let product = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            mixed = product.high ^ product.low ^ (seed >> 17)
        }
        return Int(truncatingIfNeeded: mixed & UInt64(truncatingIfNeeded: capacity - 1))
    }

    @inlinable
    func following(_ index: Int) -> Int { (index + 1) & (capacity - 1) }

    /// The distance of the key at a place from the key's home.
    @inlinable
    func distance(of index: Int) -> Int {
        guard let places else { return 0 }
        return (index - home(of: places[index].key)) & (capacity - 1)
    }

    @inlinable
    func find(_ key: Int64) -> Int? {
        guard let places else { return nil }
        var index = home(of: key)
        var walked = 0
        while places[index].payload != nil {
            if places[index].key == key { return index }
            if distance(of: index) < walked { return nil }
            index = following(index)
            walked += 1
        }
        return nil
    }

    /// Inserts or replaces an entry. Returns an entry that could not be placed because the probe sequence became too
    /// long while the table has no seed; it may be another entry than the argument.
    @inlinable
    mutating func place(_ entry: Place) -> Place? {
        guard let places else { return entry }
        var entry = entry
        var index = home(of: entry.key)
        var walked = 0
        while places[index].payload != nil {
            if places[index].key == entry.key {
                places[index].payload = entry.payload
                return nil
            }
            let resident = distance(of: index)
            if resident < walked {
                swap(&entry, &places[index])
                walked = resident
            }
            index = following(index)
            walked += 1
            if walked > Self.longestProbe && seed == 0 { return entry }
        }
        places[index] = entry
        count += 1
        return nil
    }

    @inlinable
    mutating func resize(to newCapacity: Int) {
        let old = places
        let oldCapacity = capacity
        let fresh = UnsafeMutablePointer<Place>.allocate(capacity: newCapacity)
        fresh.initialize(repeating: Place(key: 0, payload: nil), count: newCapacity)
        places = fresh
        capacity = newCapacity
        count = 0
        for index in 0..<oldCapacity {
            guard let entry = old?[index], entry.payload != nil, place(entry) != nil else { continue }
            seed = UInt64.random(in: 1...UInt64.max) | 1
            fresh.deallocate()
            places = old
            capacity = oldCapacity
            return resize(to: newCapacity)
        }
        old?.deallocate()
    }
}
