import CoreDataModeling

/// Changing many rows at a time, for stores that support it; each call succeeds completely or has no effect.
package protocol BatchWriting: AnyObject {
    /// Gives the rows that a query selects other values, and each the next version.
    func update(_ batch: BatchUpdate, by source: ChangeSource) throws -> BatchOutcome
    /// Deletes the rows that a query selects, and the rows that the delete rules delete with them.
    ///
    /// - Throws: 1600 where a rule forbids it.
    func delete(_ batch: BatchDeletion, by source: ChangeSource) throws -> BatchOutcome
    /// Inserts rows one after the other as they are made.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` for unique values that are there already, if the batch refuses those.
    func insert(_ batch: BatchInsertion, by source: ChangeSource) throws -> BatchOutcome
}

/// What is to be reported of the rows that a batch changed.
package enum BatchReport: Sendable {
    /// How many they are.
    case count
    /// Which they are.
    case addresses
}

/// What came of a batch.
package struct BatchOutcome {
    package var count = 0
    /// Empty unless they were requested.
    package var addresses: [RowAddress] = []
    /// The number of the transaction in the store's history; nil where it recorded none.
    package var transaction: Int64?

    package init(count: Int = 0, addresses: [RowAddress] = []) {
        self.count = count
        self.addresses = addresses
    }
}

/// Values for the rows of a query.
package struct BatchUpdate {
    /// The rows; order and window play no part.
    package let query: FetchQuery
    /// A row whose changed slots hold the constant values, large ones as they are, not in the store's form.
    package let constants: SavePlan.Row
    /// Values that are computed from each row as it was, by the slots of their attributes.
    package let expressions: [(slot: Int, expression: NSExpression)]
    /// Values of single elements of composite attributes that are not set as a whole.
    package let elements: [BatchElement]
    package let report: BatchReport

    package init(
        query: FetchQuery, constants: SavePlan.Row, expressions: [(slot: Int, expression: NSExpression)],
        elements: [BatchElement] = [], report: BatchReport
    ) {
        self.query = query
        self.constants = constants
        self.expressions = expressions
        self.elements = elements
        self.report = report
    }

    /// Whether it gives no values.
    package var isEmpty: Bool { constants.changed.isEmpty && expressions.isEmpty && elements.isEmpty }
}

/// A value for one element of a composite attribute; the other elements stay as they are.
package struct BatchElement {
    package enum Source {
        /// The value in the form in which a row has it, a large one as it is.
        case constant(DerivedCell)
        /// Computed from each row as it was.
        case computed(NSExpression)
    }

    /// The slot of the attribute.
    package let slot: Int
    /// The place of the element among those of the attribute.
    package let place: Int
    /// The element.
    package let attribute: NSAttributeDescription
    package let source: Source

    /// What the value is computed by; nil for a constant.
    package var expression: NSExpression? {
        if case .computed(let expression) = source { expression } else { nil }
    }

    package init(slot: Int, place: Int, attribute: NSAttributeDescription, source: Source) {
        self.slot = slot
        self.place = place
        self.attribute = attribute
        self.source = source
    }
}

/// Rows to delete.
package struct BatchDeletion {
    package let query: FetchQuery
    package let report: BatchReport

    package init(query: FetchQuery, report: BatchReport) {
        self.query = query
        self.report = report
    }
}

/// What to do with a row whose unique values another row has.
package enum BatchCollisionRule: Sendable {
    case refuse
    /// The row that is there gets the values that were given for the new one.
    case overwrite
    /// The row that is there stays as it is, and the new one is left out.
    case keep
}

/// Rows to insert.
package struct BatchInsertion {
    package let binding: EntityBinding
    package let collisions: BatchCollisionRule
    package let report: BatchReport
    /// Stores the rows' large values, and removes those of rows that are not written.
    package let largeValues: (any LargeValueWriting)?
    /// Makes the next row with a key, its `changed` slots those with given values; nil after the last.
    ///
    /// A row is valid until the next one is made. Called within the store's transaction.
    package let next: (Int64) throws -> SavePlan.Row?

    package init(
        binding: EntityBinding, collisions: BatchCollisionRule, report: BatchReport,
        largeValues: (any LargeValueWriting)?, next: @escaping (Int64) throws -> SavePlan.Row?
    ) {
        self.binding = binding
        self.collisions = collisions
        self.report = report
        self.largeValues = largeValues
        self.next = next
    }
}

extension SavePlan.Row {
    /// A row that is not yet shared as the next version of one that is there.
    package func replacing(_ key: Int64, version: Int64) -> SavePlan.Row {
        slab.row(index).storeBytes(of: key, as: Int64.self)
        slab.row(index).storeBytes(of: version &+ 1, toByteOffset: 8, as: Int64.self)
        return SavePlan.Row(slab: slab, index: index, changed: changed, expectedVersion: version)
    }
}
