/// What came of an import.
public struct ImportSummary: Sendable {
    /// How many objects of one entity, or of all, came to what.
    public struct Counts: Sendable, Equatable {
        /// New objects.
        public let inserted: Int
        /// Objects of the store that got other values.
        public let updated: Int
        /// Objects of the store that had the values already; nothing is written for them.
        public let unchanged: Int

        init(_ counts: ImportReport.Counts) {
            (inserted, updated, unchanged) = (counts.inserted, counts.updated, counts.unchanged)
        }
    }

    /// A record that was not imported.
    public struct Refusal: Sendable, Equatable {
        /// The document: a path, or a URL without its password.
        public let document: String
        /// The line at which the record begins, from 1.
        public let line: Int
        /// The path of the value that is wrong; nil where it is the record.
        public let path: String?
        /// Why, without values of the record.
        public let reason: String

        init(_ record: RefusedRecord) {
            (document, line, path, reason) = (record.file, record.line, record.column, record.reason)
        }
    }

    /// The name of the import: that of the context of its transactions in the store's history.
    public let identifier: String
    /// Whether nothing was read, as the document has not changed since the same import was last made.
    public let isUnchanged: Bool
    /// Whether the store has what was imported; false for a dry run.
    public let isSaved: Bool
    /// What came of the objects of all entities.
    public let total: Counts
    /// What came of the objects of each entity, by its name.
    public let entities: [String: Counts]
    /// The number of records that were refused.
    public let refusedCount: Int
    /// The first 1,000 of them.
    public let refusals: [Refusal]

    init(_ report: ImportReport, identifier: String, refusals: [Refusal]) {
        self.identifier = identifier
        (isUnchanged, isSaved) = (report.isUnread, report.isSaved)
        total = Counts(report.total)
        entities = report.entities.mapValues(Counts.init)
        (refusedCount, self.refusals) = (report.refused, refusals)
    }
}
