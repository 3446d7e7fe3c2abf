import CoreDataSQL
import SQLiteKit

/// Problems and row counts of a store, determined without opening it for use.
package struct StoreSurvey {
    /// The number of an entity's rows.
    package struct Count: Sendable {
        /// The rows of exactly this entity.
        package let own: Int
        /// The rows of this entity and its subentities.
        package let family: Int
    }

    /// The problems found, as sentences.
    package private(set) var problems: [String]
    /// The numbers of rows by entity; without entities that the store lacks or whose rows could not be counted.
    package private(set) var counts: [String: Count] = [:]
    /// The errors of tables whose rows could not be counted.
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
    /// Returns the problems that opening the store with a model would find, and the numbers of its rows.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` if the store has another version of the model,
    ///   `NSPersistentStoreIncompatibleSchemaError` if tables of the model are missing.
    package func survey(
        _ model: NSManagedObjectModel, configuration: String?, ignoresVersions: Bool
    ) throws -> StoreSurvey {
        // Nothing is written, so a history in the file is no obstacle; the option turns off the check for it.
        let options: [AnyHashable: Any] = [
            NSIgnorePersistentStoreVersioningOption: ignoresVersions, NSPersistentHistoryTrackingKey: true,
        ]
        let opening = SQLiteStoreOpening(url: url, options: options, configuration: configuration)
        let (schema, notes) = try reading { try opening.survey(model, connection) }
        return StoreSurvey(schema, problems: notes, of: self)
    }

    /// Returns the number of rows by entity number; if the table has only one entity, all other rows are counted under
    /// 0.
    fileprivate func counts(in table: String, numbers: Set<Int64>) throws -> [Int64: Int] {
        guard numbers.count == 1, let number = numbers.first else { return try counts(in: table) }
        // Avoids GROUP BY, which would sort the rows of a table without an index on the entity number.
        let row = try reading {
            try connection.rows(
                "SELECT sum(Z_ENT IS ?), sum(Z_ENT IS NOT ?) FROM \(SQLIdentifier.quoted(table))",
                [.integer(number), .integer(number)]
            ).first
        }
        return [number: Int(row?[0].integer ?? 0), 0: Int(row?[1].integer ?? 0)]
    }

    /// Returns the metadata, with the store's identifier under `NSStoreUUIDKey`.
    package func metadata() throws -> [String: Any] {
        try reading { try SQLiteUnopenedStore.metadata(connection, url) }
    }

    /// The store's identifier, which can often be read even if the metadata cannot.
    package var identifier: String? {
        guard let text = try? StoreMetadata.marks(connection).identifier, UUID(uuidString: text) != nil else {
            return nil
        }
        return text
    }

    /// Whether the file is an unfinished copy.
    package var isUnfinishedCopy: Bool { (try? FileCopyRecord.read(connection)) != nil }

    /// Returns the model cached in the store; nil if there is none.
    package func cachedModel() throws -> NSManagedObjectModel? {
        try reading { try SQLiteUnopenedStore.cachedModel(connection, url) }
    }
}
