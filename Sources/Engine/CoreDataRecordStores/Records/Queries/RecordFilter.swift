import CoreDataStore

/// Evaluates a predicate on rows, one after another.
package struct RecordFilter {
    private var condition: PreparedPredicate
    private let source: any RecordFinding
    private var stored: StoredRow?

    package init(_ predicate: NSPredicate, of source: any RecordFinding) {
        condition = PreparedPredicate(predicate)
        self.source = source
    }

    /// Whether a row matches the predicate.
    ///
    /// - Throws: the errors of evaluating the predicate.
    package mutating func holds(for row: RowSnapshot) throws -> Bool {
        let stored = self.stored ?? StoredRow(row, of: source)
        self.stored = stored
        stored.row = row
        return try condition.holds(for: stored)
    }
}
