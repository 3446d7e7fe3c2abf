import CoreDataModeling

/// All that one save writes to one store, as a plain value: rows in the form in which they are read, and links.
package struct SavePlan: Sendable {
    /// A row to insert, or to write over the one with its key.
    package struct Row: Sendable {
        package let slab: RowSlab
        package let index: Int
        /// The slots that differ from what the store has; of an inserted row all are written.
        package let changed: SlotSet
        /// The version that the store must have for the update to be right.
        package let expectedVersion: Int64

        package var key: Int64 { slab.key(index) }
        package var version: Int64 { slab.version(index) }
    }

    package struct Deletion: Sendable {
        package let address: RowAddress
        package let expectedVersion: Int64
    }

    /// A row that enters or leaves a many-to-many relationship, or an inverse-less one.
    package struct LinkChange: Sendable {
        package let relationship: NSRelationshipDescription
        package let owner: RowAddress
        package let member: RowAddress
        package let isRemoval: Bool
    }

    /// The order of members of an ordered relationship.
    ///
    /// After the save the members stand at the end of the relationship in this order; members that the store has and
    /// that are not listed stay before them as they are.
    package struct OrderChange: Sendable {
        package let relationship: NSRelationshipDescription
        package let owner: RowAddress
        package let members: [Int64]
    }

    package var inserts: [Row] = []
    package var updates: [Row] = []
    package var deletions: [Deletion] = []
    package var links: [LinkChange] = []
    /// Carried out after all else, when every member is linked.
    package var orders: [OrderChange] = []

    package init() {}

    package var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && orders.isEmpty
    }
}

/// Slots by number.
package struct SlotSet: Hashable, Sendable {
    private var words: [UInt64] = []

    package init() {}

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package func contains(_ slot: Int) -> Bool {
        slot >> 6 < words.count && words[slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }

    package mutating func insert(_ slot: Int) {
        while words.count <= slot >> 6 { words.append(0) }
        words[slot >> 6] |= 1 << UInt64(slot & 63)
    }
}

/// How many new keys are wanted, by root entity.
package struct KeyDemand: Sendable {
    package var counts: [Int: Int] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }
}

/// New keys, by root entity: consecutive ones from the first.
package struct KeyGrant: Sendable {
    private var next: [Int: Int64]

    package init(firstByRoot: [Int: Int64]) { next = firstByRoot }

    /// The next key of a root entity.
    package mutating func take(root: Int) -> Int64 {
        let key = next[root, default: 1]
        next[root] = key &+ 1
        return key
    }
}

/// What came of a save.
package enum SaveOutcome: Sendable {
    /// All was written; these rows were changed by the store itself, such as by a derived attribute.
    case saved(alsoChanged: [RowAddress])
    /// Nothing was written: these rows are not what the plan expected.
    case conflicts([RowAddress])
}
