import CoreDataSQL
import SQLiteKit

/// What there is to say of a store and its model without opening it for use.
package struct StoreSurvey {
    /// The rows of an entity.
    package struct Count: Sendable {
        /// Those of exactly this entity.
        package let own: Int
        /// Those of the entities below it too.
        package let family: Int
    }

    /// What was found to be not as it should be, as sentences.
    package private(set) var problems: [String]
    /// The numbers of rows by entity; without entities that the store does not keep or that could not be counted.
    package private(set) var counts: [String: Count] = [:]
    /// Why rows could not be counted.
    package private(set) var failures: [any Error] = []

    init(_ schema: StoreSchema, problems: [String], of store: RawStore) {
        self.problems = problems
        let byTable = Dictionary(grouping: schema.entities, by: \.table)
        for (table, mappings) in byTable.sorted(by: { $0.key < $1.key }) {
            do {
                let numbers = Set(mappings.map { Int64($0.number) })
                let rows = try store.counts(in: table, numbers: numbers)
                add(mappings, rows)
                let lost = rows.filter { !numbers.contains($0.key) }.reduce(0) { $0 + $1.value }
                if lost > 0 {
                    let rows = lost == 1 ? "1 row" : "\(lost) rows"
                    self.problems.append(
                        "\(rows) of the table \(PrintableText.line(table, limit: 100)) with an entity number that no entity "
                            + "of the model has there: passed over.")
                }
            } catch {
                failures.append(error)
            }
        }
    }

    private mutating func add(_ mappings: [EntityMapping], _ rows: [Int64: Int]) {
        for mapping in mappings {
            let family = mapping.familyNumbers.reduce(0) { $0 + (rows[Int64($1)] ?? 0) }
            counts[mapping.name] = Count(
                own: mapping.isAbstract ? 0 : rows[Int64(mapping.number)] ?? 0, family: family)
        }
    }
}

extension RawStore {
    /// What opening the store with a model would find, and the numbers of its rows.
    ///
    /// - Throws: what opening throws: `NSPersistentStoreIncompatibleVersionHashError` where the model is another,
    ///   `NSPersistentStoreOpenError` where its tables are not there.
    package func survey(
        _ model: NSManagedObjectModel, configuration: String?, ignoresVersions: Bool
    ) throws -> StoreSurvey {
        // Nothing is written, so that there is nothing that a history would have to record.
        let options: [AnyHashable: Any] = [
            NSIgnorePersistentStoreVersioningOption: ignoresVersions, NSPersistentHistoryTrackingKey: true,
        ]
        let opening = SQLiteStoreOpening(url: url, options: options, configuration: configuration)
        let (schema, notes) = try reading { try opening.survey(model, connection) }
        return StoreSurvey(schema, problems: notes, of: self)
    }

    /// The rows of a table by their entity numbers; where it has one entity, all others are counted as those of number 0.
    fileprivate func counts(in table: String, numbers: Set<Int64>) throws -> [Int64: Int] {
        guard numbers.count == 1, let number = numbers.first else { return try counts(in: table) }
        // Does not group, which would sort the rows of a table without an index of their entities.
        let row = try reading {
            try connection.rows(
                "SELECT sum(Z_ENT IS ?), sum(Z_ENT IS NOT ?) FROM \(SQLIdentifier.quoted(table))",
                [.integer(number), .integer(number)]
            ).first
        }
        return [number: Int(row?[0].integer ?? 0), 0: Int(row?[1].integer ?? 0)]
    }

    /// The metadata, with the store's identity under `NSStoreUUIDKey`.
    package func metadata() throws -> [String: Any] {
        try reading { try SQLiteUnopenedStore.metadata(connection, url) }
    }

    /// The store's identity, which a store without readable metadata may have all the same.
    package var identifier: String? {
        guard let text = try? StoreMetadata.marks(connection).identifier, UUID(uuidString: text) != nil else {
            return nil
        }
        return text
    }

    /// Whether the file is a copy that is not finished yet.
    package var isUnfinishedCopy: Bool { (try? FileCopyRecord.read(connection)) != nil }

    /// The model that the store carries; nil when it carries none.
    package func cachedModel() throws -> NSManagedObjectModel? {
        try reading { try SQLiteUnopenedStore.cachedModel(connection, url) }
    }
}
