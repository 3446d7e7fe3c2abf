import CoreDataModeling

/// An array of record addresses that uses few bytes per record: the key, and the number of its entity and store if
/// there are several.
package struct AddressList: RandomAccessCollection {
    package private(set) var keys: ContiguousArray<Int64> = []
    private var bindings: [EntityBinding] = []
    /// The index in `bindings` of each key's entity and store; empty while all records have the first one.
    package private(set) var kinds: ContiguousArray<UInt16> = []
    private var last = 0

    package init() {}

    package init(_ addresses: some Collection<RowAddress>) {
        keys.reserveCapacity(addresses.count)
        for address in addresses { append(address) }
    }

    package var count: Int { keys.count }
    package var startIndex: Int { 0 }
    package var endIndex: Int { keys.count }

    package subscript(index: Int) -> RowAddress { RowAddress(binding: binding(at: index), key: keys[index]) }

    /// The entity and store of the record at an index.
    package func binding(at index: Int) -> EntityBinding { bindings[kinds.isEmpty ? 0 : Int(kinds[index])] }

    package mutating func append(_ address: RowAddress) { append(address.key, of: address.binding) }

    /// Appends a record of an entity and store.
    package mutating func append(_ key: Int64, of binding: EntityBinding) {
        if last >= bindings.count || bindings[last] !== binding { last = number(of: binding) }
        append(key, numbered: last)
    }

    /// Appends a record; `number` is the list's number of its entity and store (`number(of:)`).
    package mutating func append(_ key: Int64, numbered number: Int) {
        if number > 0 || !kinds.isEmpty { appendKind(number) }
        keys.append(key)
    }

    private mutating func appendKind(_ number: Int) {
        if kinds.isEmpty { kinds = ContiguousArray(repeating: 0, count: keys.count) }
        kinds.append(UInt16(truncatingIfNeeded: number))
    }

    /// Whether all records are of one entity and store.
    package var isOfOneEntity: Bool { bindings.count == 1 }

    /// Whether the keys are in strictly ascending order.
    package var isAscending: Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }

    /// The addresses at a range of indexes.
    package func addresses(_ range: Range<Int>) -> [RowAddress] { range.map { self[$0] } }

    /// The list's number of an entity and store, which is added if it is new; the search is linear, since lists have
    /// few.
    package mutating func number(of binding: EntityBinding) -> Int {
        if let known = bindings.firstIndex(where: { $0 === binding }) { return known }
        bindings.append(binding)
        return bindings.count - 1
    }
}

/// Finds the index of a record in an `AddressList`, by binary search.
package struct AddressIndex {
    /// The indexes of the list sorted by their keys; nil if the list itself is sorted by keys.
    private let places: ContiguousArray<UInt32>?

    package init(_ list: AddressList) {
        let keys = list.keys
        guard !zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            places = nil
            return
        }
        places = ContiguousArray(keys.indices.lazy.map { UInt32($0) }.sorted { keys[Int($0)] < keys[Int($1)] })
    }

    /// The first index of a record, given by its identity table and key; nil if the list does not contain it.
    package func place(table: Int, key: Int64, in list: AddressList) -> Int? {
        var rank = firstRank(of: key, in: list)
        while rank < list.count, list.keys[place(rank)] == key {
            if list.binding(at: place(rank)).table == table { return place(rank) }
            rank += 1
        }
        return nil
    }

    private func place(_ rank: Int) -> Int { places.map { Int($0[rank]) } ?? rank }

    private func firstRank(of key: Int64, in list: AddressList) -> Int {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = list.keys[place(middle)] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
