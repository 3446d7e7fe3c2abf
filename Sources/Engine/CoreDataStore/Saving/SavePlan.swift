import CoreDataModeling

/// The writes of one save to one store: rows in the form in which stores also return them, and changes of links.
///
/// The plan is made completely before the store is locked.
package struct SavePlan: Sendable {
    /// A row to insert, or to write in place of the stored row with the same key.
    package struct Row: Sendable {
        package let slab: RowSlab
        package let index: Int
        /// The slots that differ from the stored row; of an inserted row all slots are written.
        package let changed: SlotSet
        /// The version that the stored row must have; otherwise the save reports a conflict.
        package let expectedVersion: Int64

        package init(slab: RowSlab, index: Int, changed: SlotSet, expectedVersion: Int64) {
            self.slab = slab
            self.index = index
            self.changed = changed
            self.expectedVersion = expectedVersion
        }

        package var key: Int64 { slab.key(index) }
        package var version: Int64 { slab.version(index) }
        package var address: RowAddress { RowAddress(binding: slab.binding, key: key) }
    }

    package struct Deletion: Sendable {
        package let address: RowAddress
        package let expectedVersion: Int64

        package init(address: RowAddress, expectedVersion: Int64) {
            self.address = address
            self.expectedVersion = expectedVersion
        }
    }

    /// A row that the save does not write, but that must still have the expected version.
    package struct Lock: Sendable {
        package let address: RowAddress
        package let expectedVersion: Int64

        package init(address: RowAddress, expectedVersion: Int64) {
            self.address = address
            self.expectedVersion = expectedVersion
        }
    }

    /// Adds a member to a many-to-many relationship, or to one without an inverse, or removes it.
    package struct LinkChange: Sendable {
        package let relationship: NSRelationshipDescription
        package let owner: RowAddress
        package let member: RowAddress
        package let isRemoval: Bool

        package init(relationship: NSRelationshipDescription, owner: RowAddress, member: RowAddress, isRemoval: Bool) {
            self.relationship = relationship
            self.owner = owner
            self.member = member
            self.isRemoval = isRemoval
        }
    }

    /// A new order of the members of an ordered relationship.
    ///
    /// After the save, the listed members are at the end of the relationship in this order. Stored members that are not
    /// listed come before them, in their previous order.
    package struct OrderChange: Sendable {
        package let relationship: NSRelationshipDescription
        package let owner: RowAddress
        package let members: [Int64]

        package init(relationship: NSRelationshipDescription, owner: RowAddress, members: [Int64]) {
            self.relationship = relationship
            self.owner = owner
            self.members = members
        }
    }

    /// The author of the save.
    package var source = ChangeSource()
    /// The keys that the store reserved for the new rows.
    package var keys = KeyGrant()
    package var inserts: [Row] = []
    package var updates: [Row] = []
    package var deletions: [Deletion] = []
    /// Rows that are not written, but must have the expected versions.
    package var locks: [Lock] = []
    package var links: [LinkChange] = []
    /// Applied after all other changes, when every member is linked.
    package var orders: [OrderChange] = []

    package init() {}

    package var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && orders.isEmpty && locks.isEmpty
    }
}

/// The number of new keys that are needed, by root entity.
package struct KeyDemand: Sendable {
    package var counts: [Int: Int] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }
}

/// Reserved keys of each root entity: a range of consecutive keys.
package struct KeyGrant: Sendable {
    /// The keys of one root entity.
    package struct Block: Sendable {
        package let first: Int64
        package let count: Int
        /// The number of the store's key sequence from which the keys come; the store refuses keys of an earlier
        /// sequence.
        package let serial: Int

        package init(first: Int64, count: Int, serial: Int = 0) {
            self.first = first
            self.count = count
            self.serial = serial
        }

        package var last: Int64 { first + Int64(count) - 1 }
    }

    package let blocks: [Int: Block]
    /// Whether the store has already recorded the keys as used, so that no other connection can get them.
    package let isRecorded: Bool
    /// The root entity of the last key that was taken, and its next key.
    private var current: (root: Int, next: Int64) = (-1, 0)
    /// The next keys of the other root entities.
    private var others: [Int: Int64] = [:]

    package init(_ blocks: [Int: Block] = [:], isRecorded: Bool = false) {
        self.blocks = blocks
        self.isRecorded = isRecorded
    }

    /// Takes the next key of a root entity.
    package mutating func take(root: Int) -> Int64 {
        if root != current.root {
            others[current.root] = current.next
            current = (root, others[root] ?? blocks[root]?.first ?? 1)
        }
        defer { current.next &+= 1 }
        return current.next
    }
}

/// The result of a save.
package enum SaveOutcome: Sendable {
    /// The store wrote everything.
    case saved(SaveReceipt)
    /// The store wrote nothing: these rows do not have the versions that the plan expected.
    case conflicts([RowAddress])
    /// The store wrote nothing: rows would violate uniqueness constraints.
    case constraintConflicts([UniquenessConflict])
    /// The store wrote nothing: another connection has used keys of the plan.
    case keysTaken
}

/// What the store reports after it has executed a save plan.
package struct SaveReceipt: Sendable {
    /// The values that the store computed, for rows of the plan and for other rows.
    package var derived: DerivedChanges
    /// The number of the transaction in the store's history; nil if the store recorded none.
    package var transaction: Int64?
    /// Whether transactions with lower numbers may still be committed; a reader that starts at a token with this number
    /// would miss them.
    package var isPreceded = false

    /// The number for a history token of the state after the save; nil while transactions with lower numbers may
    /// follow.
    package var position: Int64? { isPreceded ? nil : transaction }

    package init(derived: DerivedChanges = DerivedChanges(), transaction: Int64? = nil) {
        self.derived = derived
        self.transaction = transaction
    }
}

/// A violation of a uniqueness constraint.
package struct UniquenessConflict: Sendable {
    /// The names of the constraint's properties.
    package let constraint: [String]
    /// The rows of the plan that would duplicate the values.
    package let rows: [RowAddress]
    /// The stored row that has the values and is not changed by the plan; nil if only rows of the plan conflict with
    /// each other.
    package let holder: RowAddress?

    package init(constraint: [String], rows: [RowAddress], holder: RowAddress?) {
        self.constraint = constraint
        self.rows = rows
        self.holder = holder
    }
}
