import CoreDataModeling

/// Changes many rows in one request; implemented by stores that support it. Each call succeeds completely or changes
/// nothing.
package protocol BatchWriting: AnyObject {
    /// Sets values in the rows that a query selects, and increments the version of each.
    func update(_ batch: BatchUpdate, by source: ChangeSource) throws -> BatchOutcome
    /// Deletes the rows that a query selects, and the rows that the delete rules delete as a consequence.
    ///
    /// - Throws: `NSValidationRelationshipDeniedDeleteError` (1600) if a delete rule denies it.
    func delete(_ batch: BatchDeletion, by source: ChangeSource) throws -> BatchOutcome
    /// Inserts the rows that `batch` makes, one after another.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` if a row violates a uniqueness constraint and the batch refuses
    ///   collisions.
    func insert(_ batch: BatchInsertion, by source: ChangeSource) throws -> BatchOutcome
}

/// What a batch request reports about the changed rows.
package enum BatchReport: Sendable {
    /// Their number.
    case count
    /// Their addresses.
    case addresses
}

/// The result of a batch request.
package struct BatchOutcome {
    package var count = 0
    /// The addresses of the changed rows; empty unless they were requested.
    package var addresses: [RowAddress] = []
    /// The number of the transaction in the store's history; nil if the store recorded none.
    package var transaction: Int64?

    package init(count: Int = 0, addresses: [RowAddress] = []) {
        self.count = count
        self.addresses = addresses
    }
}

/// A batch update: the values to set in the rows of a query.
package struct BatchUpdate {
    /// Selects the rows; its sort descriptors, limit and offset are ignored.
    package let query: FetchQuery
    /// A row whose changed slots contain the constant values; large values are unencoded, not in the store's form.
    package let constants: SavePlan.Row
    /// Expressions, evaluated on each row as it was before the update, by the slots of their attributes.
    package let expressions: [(slot: Int, expression: NSExpression)]
    /// Values for single elements of composite attributes.
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

    /// Whether the update sets no values.
    package var isEmpty: Bool { constants.changed.isEmpty && expressions.isEmpty && elements.isEmpty }
}

/// A value for one element of a composite attribute; the other elements stay as they are.
package struct BatchElement {
    package enum Source {
        /// A value in the form of row slots; a large value is unencoded, not in the store's form.
        case constant(DerivedCell)
        /// An expression, evaluated on each row as it was before the update.
        case computed(NSExpression)
    }

    /// The slot of the attribute.
    package let slot: Int
    /// The index of the element in `CompositeCoding.leaves(of:)` of the attribute.
    package let place: Int
    /// The description of the element.
    package let attribute: NSAttributeDescription
    package let source: Source

    /// The expression that computes the value; nil for a constant.
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

/// What a batch insertion does with a row whose unique values a stored row already has.
package enum BatchCollisionRule: Sendable {
    case refuse
    /// Set the values given for the new row in the stored row.
    case overwrite
    /// Leave the stored row unchanged, and skip the new row.
    case keep
}

/// Rows to insert.
package struct BatchInsertion {
    package let binding: EntityBinding
    package let collisions: BatchCollisionRule
    package let report: BatchReport
    /// Stores the rows' large values outside of the rows, and removes those of rows that are skipped.
    package let largeValues: (any LargeValueWriting)?
    /// Makes the next row with the given key; its `changed` slots are those with given values. Returns nil after the
    /// last row.
    ///
    /// A row is valid until the next call. Called within the store's transaction.
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
    /// Gives a row that is not yet shared the key and the next version of a stored row, which it will replace.
    package func replacing(_ key: Int64, version: Int64) -> SavePlan.Row {
        slab.row(index).storeBytes(of: key, as: Int64.self)
        slab.row(index).storeBytes(of: version &+ 1, toByteOffset: 8, as: Int64.self)
        return SavePlan.Row(slab: slab, index: index, changed: changed, expectedVersion: version)
    }
}
