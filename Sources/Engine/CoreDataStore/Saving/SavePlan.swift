import CoreDataModeling

/// The writes of one save to one store, as a plain value: rows in the form in which they are read, and links.
///
/// It is complete before the store is used: no part of it is made while the store is locked.
package struct SavePlan: Sendable {
    /// A row to insert, or to write over the one with its key.
    package struct Row: Sendable {
        package let slab: RowSlab
        package let index: Int
        /// The slots that differ from what the store has; of an inserted row all are written.
        package let changed: SlotSet
        /// The version that the store must have for the update to be right.
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

    /// A row that must be unchanged.
    package struct Lock: Sendable {
        package let address: RowAddress
        package let expectedVersion: Int64

        package init(address: RowAddress, expectedVersion: Int64) {
            self.address = address
            self.expectedVersion = expectedVersion
        }
    }

    /// A row that enters or leaves a many-to-many relationship, or an inverse-less one.
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

    /// The order of members of an ordered relationship.
    ///
    /// After the save the members stand at the end of the relationship in this order; members that the store has and
    /// that are not listed stay before them as they are.
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
    /// The keys of new rows, as the store gave them out.
    package var keys = KeyGrant()
    package var inserts: [Row] = []
    package var updates: [Row] = []
    package var deletions: [Deletion] = []
    /// Rows that are not written, and must have the versions that are expected.
    package var locks: [Lock] = []
    package var links: [LinkChange] = []
    /// Carried out after all else, when every member is linked.
    package var orders: [OrderChange] = []

    package init() {}

    package var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && orders.isEmpty && locks.isEmpty
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
    /// The keys of one root entity.
    package struct Block: Sendable {
        package let first: Int64
        package let count: Int
        /// Informs the store what it knew when it gave the keys out.
        package let serial: Int

        package init(first: Int64, count: Int, serial: Int = 0) {
            self.first = first
            self.count = count
            self.serial = serial
        }

        package var last: Int64 { first + Int64(count) - 1 }
    }

    package let blocks: [Int: Block]
    /// Whether the store has recorded the keys as given out, so that no other connection can have got them.
    package let isRecorded: Bool
    /// The root entity that keys were taken of last, and its next one.
    private var current: (root: Int, next: Int64) = (-1, 0)
    /// The next keys of the other root entities.
    private var others: [Int: Int64] = [:]

    package init(_ blocks: [Int: Block] = [:], isRecorded: Bool = false) {
        self.blocks = blocks
        self.isRecorded = isRecorded
    }

    /// The next key of a root entity.
    package mutating func take(root: Int) -> Int64 {
        if root != current.root {
            others[current.root] = current.next
            current = (root, others[root] ?? blocks[root]?.first ?? 1)
        }
        defer { current.next &+= 1 }
        return current.next
    }
}

/// What came of a save.
package enum SaveOutcome: Sendable {
    /// All was written.
    case saved(SaveReceipt)
    /// Nothing was written: these rows are not what the plan expected.
    case conflicts([RowAddress])
    /// Nothing was written: values that must be unique would be there twice.
    case constraintConflicts([UniquenessConflict])
    /// Nothing was written: another process has given out keys of the plan.
    case keysTaken
}

/// A store's report of a plan that it has executed.
package struct SaveReceipt: Sendable {
    /// The values that the store set itself, in rows of the plan and others.
    package var derived: DerivedChanges
    /// The number of the transaction in the store's history; nil where it recorded none.
    package var transaction: Int64?
    /// Whether others may yet be given lower numbers, so that a token with this one would leave them out.
    package var isPreceded = false

    /// The number for a token of the state after the save; nil if it is not final yet.
    package var position: Int64? { isPreceded ? nil : transaction }

    package init(derived: DerivedChanges = DerivedChanges(), transaction: Int64? = nil) {
        self.derived = derived
        self.transaction = transaction
    }
}

/// Rows that would have the same values of properties that must be unique together.
package struct UniquenessConflict: Sendable {
    /// The names of the properties.
    package let constraint: [String]
    /// The rows of the plan that cannot have the values.
    package let rows: [RowAddress]
    /// The row that has the values in the store and would keep them; nil where rows of the plan are in each other's way.
    package let holder: RowAddress?

    package init(constraint: [String], rows: [RowAddress], holder: RowAddress?) {
        self.constraint = constraint
        self.rows = rows
        self.holder = holder
    }
}
