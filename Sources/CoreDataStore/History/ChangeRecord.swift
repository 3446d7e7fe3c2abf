import CoreDataModeling

/// Who changes a store, as persistent history says it of a transaction.
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
    package enum Kind: Int64, Sendable {
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

    private var places: [RowKey: Int] = [:]
    private var noted: [Change?] = []

    package init() {}

    /// Whether no row came to anything: nothing is recorded of such a transaction.
    package var isEmpty: Bool { !noted.contains { $0 != nil } }

    /// Inserted rows, then updated, then deleted ones, each in the order of their first changes.
    package var changes: [Change] {
        let changes = noted.compactMap(\.self)
        return [Kind.insert, .update, .delete].flatMap { kind in changes.filter { $0.kind == kind } }
    }

    package mutating func reserveCapacity(_ count: Int) {
        places.reserveCapacity(count)
        noted.reserveCapacity(count)
    }

    /// Notes that a row was inserted.
    package mutating func noteInsertion(of address: RowAddress) {
        let change = Change(address: address, kind: .insert, properties: SlotSet(), tombstone: [])
        // A row that takes the place of one deleted in the same transaction is there before and after.
        guard let place = places[RowKey(address)] else { return append(change) }
        noted[place] = change
    }

    /// Notes that properties of a row were changed; of one that this transaction inserted or deleted nothing is noted.
    package mutating func noteUpdate(of address: RowAddress, _ properties: SlotSet) {
        guard !properties.isEmpty else { return }
        guard let place = places[RowKey(address)] else {
            return append(Change(address: address, kind: .update, properties: properties, tombstone: []))
        }
        guard noted[place]?.kind == .update else { return }
        noted[place]?.properties.formUnion(properties)
    }

    /// Notes that a row was deleted, and what is kept of it.
    package mutating func noteDeletion(of address: RowAddress, tombstone: [DerivedCell]) {
        let change = Change(address: address, kind: .delete, properties: SlotSet(), tombstone: tombstone)
        guard let place = places[RowKey(address)] else { return append(change) }
        noted[place] = noted[place]?.kind == .insert ? nil : change
    }

    private mutating func append(_ change: Change) {
        places[RowKey(change.address)] = noted.count
        noted.append(change)
    }
}
