import CoreDataModeling

/// The author of a change of a store, as persistent history records it for a transaction.
package struct ChangeSource: Hashable, Sendable {
    /// The author that the context gives; nil for none.
    package var author: String?
    /// The name of the context; nil for none.
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}

/// What one save or one batch request changed in a store: each row once, with what it came to.
///
/// A store that keeps history makes one of every transaction that it commits, from whatever changed the rows.
///
/// Invariants:
/// 1. A row that was inserted is listed as inserted whatever happened to it afterwards; one that was inserted and
///    deleted again is not listed.
/// 2. A row that was deleted is listed as deleted, with the values that it had before.
/// 3. An updated row has at least one changed property.
package struct ChangeRecord: Sendable {
    /// What became of a row; the numbers are those that stores and `NSPersistentHistoryChangeType` use.
    package enum Kind: Int64, Sendable, CaseIterable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// What became of one row.
    package struct Change: Sendable {
        package let address: RowAddress
        package fileprivate(set) var kind: Kind
        /// The changed properties of an updated row, as `HistoryProperties` numbers them; empty for the other kinds.
        package fileprivate(set) var properties: SlotSet
        /// The values that are kept of a deleted row, in the order of `HistoryProperties.tombstoneSlots`.
        package fileprivate(set) var tombstone: [DerivedCell]
    }

    private var noted: [Change?] = []
    /// Where rows are noted: the first `indexed` of `noted`, and those among them that came to nothing.
    private var places: [RowKey: Int] = [:]
    private var indexed = 0
    /// The greatest key that is noted of the rows of each root entity, by its number.
    private var greatest: [Int64] = []
    /// How many rows came to each kind.
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

    /// How many rows came to a kind.
    package func count(of kind: Kind) -> Int { counts[Int(kind.rawValue)] }

    /// Hands out the rows that came to a kind, in the order of their first changes.
    package func forEachChange(of kind: Kind, _ body: (Change) throws -> Void) rethrows {
        guard count(of: kind) > 0 else { return }
        for case let change? in noted where change.kind == kind { try body(change) }
    }

    package mutating func reserveCapacity(_ count: Int) { noted.reserveCapacity(count) }

    /// Notes that a row was inserted.
    package mutating func noteInsertion(of address: RowAddress) {
        let change = Change(address: address, kind: .insert, properties: SlotSet(), tombstone: [])
        // A row that takes the place of one deleted in the same transaction is there before and after.
        guard let place = place(of: address) else { return append(change) }
        replace(place, with: change)
    }

    /// Notes that properties of a row were changed; of one that this transaction inserted or deleted nothing is noted.
    package mutating func noteUpdate(of address: RowAddress, _ properties: SlotSet) {
        guard !properties.isEmpty else { return }
        guard let place = place(of: address) else {
            return append(Change(address: address, kind: .update, properties: properties, tombstone: []))
        }
        guard noted[place]?.kind == .update else { return }
        noted[place]?.properties.formUnion(properties)
    }

    /// Notes that a row was deleted, and what is kept of it.
    package mutating func noteDeletion(of address: RowAddress, tombstone: [DerivedCell]) {
        let change = Change(address: address, kind: .delete, properties: SlotSet(), tombstone: tombstone)
        guard let place = place(of: address) else { return append(change) }
        replace(place, with: noted[place]?.kind == .insert ? nil : change)
    }

    private mutating func place(of address: RowAddress) -> Int? {
        let root = address.binding.layout.root
        // Most rows come in the order of their keys: one behind all others is new, and need not be looked up.
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
