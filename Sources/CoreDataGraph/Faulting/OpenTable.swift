import CoreDataModeling

/// An open-addressed hash table from a row's primary key to a small trivial payload.
///
/// Invariants:
/// 1. `capacity` is a power of two or zero, and at most five eighths of the places are used.
/// 2. Between the home place of a key and the place where it stands no place is free (linear probing, removal by
///    shifting back, no tombstones).
/// 3. While `seed` is zero, neighbouring keys have neighbouring homes, which keeps a scan in key order in the cache.
///    A run of probes longer than `longestProbe` (keys chosen to collide) gives the table a random seed.
package struct OpenTable<Payload: BitwiseCopyable>: ~Copyable {
    private struct Place {
        var key: Int64
        var payload: Payload?
    }

    private var places: UnsafeMutablePointer<Place>?
    private var capacity = 0
    private var seed: UInt64 = 0
    package private(set) var count = 0

    private let longestProbe = 128

    package init() {}

    deinit { places?.deallocate() }

    /// The payload stored for a key.
    package subscript(key: Int64) -> Payload? {
        guard let places else { return nil }
        var index = home(of: key)
        while places[index].payload != nil {
            if places[index].key == key { return places[index].payload }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    /// Stores a payload for a key in place of the one before.
    package mutating func set(_ payload: Payload, for key: Int64) {
        if (count + 1) * 8 > capacity * 5 { resize(to: max(16, capacity * 2)) }
        if !place(key, payload) {
            seed = UInt64.random(in: 1...UInt64.max) | 1
            resize(to: capacity)
            _ = place(key, payload)
        }
    }

    /// Removes the payload of a key if `condition` holds for it.
    package mutating func remove(_ key: Int64, where condition: (Payload) -> Bool = { _ in true }) {
        guard let places else { return }
        var index = home(of: key)
        while let payload = places[index].payload {
            if places[index].key == key {
                if condition(payload) { vacate(index) }
                return
            }
            index = (index + 1) & (capacity - 1)
        }
    }

    /// Makes room for `additional` more keys at once.
    package mutating func reserve(_ additional: Int) {
        var wanted = max(16, capacity)
        while (count + additional) * 8 > wanted * 5 { wanted *= 2 }
        if wanted > capacity { resize(to: wanted) }
    }

    /// Calls `body` with every key and payload, in no order.
    package func forEach(_ body: (Int64, Payload) -> Void) {
        guard let places else { return }
        for index in 0..<capacity {
            if let payload = places[index].payload { body(places[index].key, payload) }
        }
    }

    /// Forgets everything.
    package mutating func removeAll() {
        places?.deallocate()
        places = nil
        capacity = 0
        count = 0
    }

    private func home(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let mixed: UInt64
        if seed == 0 {
            mixed = bits &+ (bits >> 16) &* 0x9E37_79B9_7F4A_7C15
        } else {
            let product = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            mixed = product.high ^ product.low ^ (seed >> 17)
        }
        return Int(truncatingIfNeeded: mixed & UInt64(truncatingIfNeeded: capacity - 1))
    }

    /// Puts a key into its place; false when the probes ran too long and the table has no seed yet.
    private mutating func place(_ key: Int64, _ payload: Payload) -> Bool {
        guard let places else { return false }
        var index = home(of: key)
        var probes = 0
        while places[index].payload != nil {
            if places[index].key == key {
                places[index].payload = payload
                return true
            }
            index = (index + 1) & (capacity - 1)
            probes += 1
            if probes > longestProbe && seed == 0 { return false }
        }
        places[index] = Place(key: key, payload: payload)
        count += 1
        return true
    }

    private mutating func vacate(_ hole: Int) {
        guard let places else { return }
        var hole = hole
        var index = (hole + 1) & (capacity - 1)
        while places[index].payload != nil {
            let distance = (index - home(of: places[index].key)) & (capacity - 1)
            if distance >= (index - hole) & (capacity - 1) {
                places[hole] = places[index]
                hole = index
            }
            index = (index + 1) & (capacity - 1)
        }
        places[hole].payload = nil
        count -= 1
    }

    private mutating func resize(to newCapacity: Int) {
        let old = places
        let oldCapacity = capacity
        places = .allocate(capacity: newCapacity)
        places?.initialize(repeating: Place(key: 0, payload: nil), count: newCapacity)
        capacity = newCapacity
        count = 0
        for index in 0..<oldCapacity {
            guard let entry = old?[index], let payload = entry.payload else { continue }
            if place(entry.key, payload) { continue }
            seed = UInt64.random(in: 1...UInt64.max) | 1
            places?.deallocate()
            places = old
            capacity = oldCapacity
            return resize(to: newCapacity)
        }
        old?.deallocate()
    }
}
