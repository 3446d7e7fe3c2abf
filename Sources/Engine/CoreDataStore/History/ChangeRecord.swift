import CoreDataModeling

/// Who made a change of a store, as persistent history records it with the transaction.
package struct ChangeSource: Hashable, Sendable {
    /// The `transactionAuthor` of the context; nil for none.
    package var author: String?
    /// The name of the context; nil for none.
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}

/// The changes that one transaction (a save or a batch request) made in a store: each row once, with the net result.
///
/// A store that records history makes one for every transaction that it commits, whatever request changed the rows.
///
/// Invariants:
/// 1. A row that the transaction inserted is listed as inserted even if it was updated afterwards; a row that was
///    inserted and deleted again is not listed.
/// 2. A row that the transaction deleted is listed as deleted, with the values from before the transaction.
/// 3. An updated row has at least one changed property.
package struct ChangeRecord: Sendable {
    /// What the transaction did to a row; the numbers are those that stores and `NSPersistentHistoryChangeType` use.
    package enum Kind: Int64, Sendable, CaseIterable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// The change of one row.
    package struct Change: Sendable {
        package let address: RowAddress
        package fileprivate(set) var kind: Kind
        /// The changed properties of an updated row, by their numbers in `HistoryProperties`; empty for the other
        /// kinds.
        package fileprivate(set) var properties: SlotSet
        /// The values that history preserves of a deleted row, in the order of `HistoryProperties.tombstoneSlots`.
        package fileprivate(set) var tombstone: [DerivedCell]
    }

    private var noted: [Change?] = []
    /// The index in `noted` of each row; covers only the first `indexed` elements, some of which may be nil by now.
    private var places: [RowKey: Int] = [:]
    private var indexed = 0
    /// The greatest key noted so far of each root entity, by the number of the root entity.
    private var greatest: [Int64] = []
    /// How many changes of each kind `noted` contains.
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)

    package init() {}

    /// The number of rows that the transaction inserted, updated or deleted, without those that it inserted and deleted
    /// again. If it is 0, history does not record the transaction.
    package var count: Int { counts.reduce(0, +) }

    package var isEmpty: Bool { count == 0 }

    /// Inserted rows, then updated, then deleted ones, each in the order of their first changes.
    package var changes: [Change] {
        var changes: [Change] = []
        changes.reserveCapacity(count)
        for kind in Kind.allCases { forEachChange(of: kind) { changes.append($0) } }
        return changes
    }

    /// The number of rows with a kind of change.
    package func count(of kind: Kind) -> Int { counts[Int(kind.rawValue)] }

    /// Passes the changes of a kind to `body`, in the order of the rows' first changes.
    package func forEachChange(of kind: Kind, _ body: (Change) throws -> Void) rethrows {
        guard count(of: kind) > 0 else { return }
        for case let change? in noted where change.kind == kind { try body(change) }
    }

    package mutating func reserveCapacity(_ count: Int) { noted.reserveCapacity(count) }

    /// Notes that a row was inserted.
    package mutating func noteInsertion(of address: RowAddress) {
        let change = Change(address: address, kind: .insert, properties: SlotSet(), tombstone: [])
        // A row that was deleted earlier in the transaction and is inserted again existed before and after it.
        guard let place = place(of: address) else { return append(change) }
        replace(place, with: change)
    }

    /// Notes that properties of a row were changed; does nothing for a row that this transaction inserted or deleted.
    package mutating func noteUpdate(of address: RowAddress, _ properties: SlotSet) {
        guard !properties.isEmpty else { return }
        guard let place = place(of: address) else {
            return append(Change(address: address, kind: .update, properties: properties, tombstone: []))
        }
        guard noted[place]?.kind == .update else { return }
        noted[place]?.properties.formUnion(properties)
    }

    /// Notes that a row was deleted, with the values that history preserves of it.
    package mutating func noteDeletion(of address: RowAddress, tombstone: [DerivedCell]) {
        let change = Change(address: address, kind: .delete, properties: SlotSet(), tombstone: tombstone)
        guard let place = place(of: address) else { return append(change) }
        replace(place, with: noted[place]?.kind == .insert ? nil : change)
    }

    private mutating func place(of address: RowAddress) -> Int? {
        let root = address.binding.layout.root
        // Most rows come in the order of their keys: a row with a key above all noted keys is new and needs no lookup.
        guard root < greatest.count, address.key <= greatest[root] else { return nil }
        for place in indexed..<noted.count {
            if let change = noted[place] { places[RowKey(change.address)] = place }
        }
        indexed = noted.count
        return places[RowKey(address)]
    }

    private mutating func append(_ change: Change) {
        let root = change.address.binding.layout.root
        while greatest.count <= root { greatest.append(.min) }
        greatest[root] = max(greatest[root], change.address.key)
        noted.append(change)
        counts[Int(change.kind.rawValue)] += 1
    }

    private mutating func replace(_ place: Int, with change: Change?) {
        if let former = noted[place] { counts[Int(former.kind.rawValue)] -= 1 }
        noted[place] = change
        if let change { counts[Int(change.kind.rawValue)] += 1 }
    }
}
