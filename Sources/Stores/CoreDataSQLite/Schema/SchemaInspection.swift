import CoreDataSQL
import SQLiteKit

/// Compares an open file with the schema that the model requires, before anything else is read or written.
struct SchemaInspection {
    let schema: StoreSchema
    /// Harmless differences, and reasons why the file must not be written to, as sentences.
    let notes: [String]
    /// The SQL that created the file's triggers.
    let triggers: Set<String>
    /// Why the file must not be written to, as sentences.
    let reasonsForReadOnly: [String]
    /// Whether the file lacks a unique index, so that saves have to search for duplicate values themselves.
    let lacksUniqueIndex: Bool
    let unknownEntityRows: UnknownEntityRows

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` with all differences if the file lacks what the model
    ///   requires.
    init(
        _ connection: Connection, model: NSManagedObjectModel, configuration: String?, url: URL, tracksHistory: Bool
    ) throws {
        let catalog = try connection.catalog()
        let numbers = try Self.recordedNumbers(connection, catalog)
        let planned = StoreSchema(model: model, configuration: configuration, recordedNumbers: numbers)
        let resolution = planned.resolved(against: Self.plainCatalog(catalog, numbers))
        let differences = resolution.differences + Self.otherKeys(catalog, resolution.schema)
        let faults = differences.filter { !$0.isHarmless }
        guard faults.isEmpty else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store '\(url.path)' does not have the tables of its model: "
                    + faults.prefix(5).map { PrintableText.line($0.sentence) }.joined(separator: " ")
                    + (faults.count > 5 ? " And \(faults.count - 5) more." : ""),
                hint: "Open it with the model that it was made with, or restore the file from a backup.",
                userInfo: ["differences": differences.map { PrintableText.line($0.sentence) }])
        }
        schema = resolution.schema
        triggers = Set(catalog.triggers.map(\.sql))
        lacksUniqueIndex = schema.indexes.contains { $0.isUnique && !Self.has($0, catalog) }
        reasonsForReadOnly =
            (tracksHistory ? [] : [HistoryGuard.reason(connection, catalog)].compactMap(\.self))
            + Self.foreignCode(catalog, schema)
        unknownEntityRows = UnknownEntityRows(connection, schema: schema, catalog: catalog)
        notes = (reasonsForReadOnly + resolution.differences.map(\.sentence) + unknownEntityRows.notes).prefix(1000).map
        {
            PrintableText.line($0)
        }
    }

    /// Whether the file has a unique index over the same columns as `index`, under any name.
    static func has(_ index: IndexDefinition, _ catalog: Catalog) -> Bool {
        let columns = Set(index.elements.map { $0.column.uppercased() })
        return catalog.indexes.contains { item in
            let text = item.sql.uppercased()
            guard item.table.uppercased() == index.table.uppercased(), text.hasPrefix("CREATE UNIQUE"),
                let start = text.lastIndex(of: "(")
            else { return false }
            let words = text[start...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            return Set(words.map(String.init)).subtracting(["COLLATE", "BINARY", "ASC", "DESC"]) == columns
        }
    }

    /// Returns the entities' tables whose `Z_PK` is not the rowid, as after damage to the schema: rows could not be
    /// found by key.
    private static func otherKeys(_ catalog: Catalog, _ schema: StoreSchema) -> [SchemaDifference] {
        Set(schema.entities.map(\.table)).sorted().compactMap { name in
            guard let table = catalog.table(name), table.rowNumberColumn?.uppercased() != "Z_PK" else { return nil }
            return .otherKey(table: table.name)
        }
    }

    /// Returns the tables with their stored columns; generated columns are omitted, as reading them would run code of
    /// the file.
    static func plainCatalog(_ catalog: Catalog, _ numbers: [String: Int]) -> DatabaseCatalog {
        let tables = catalog.tables.filter { !$0.isVirtual && !$0.name.lowercased().hasPrefix("sqlite_") }
        return DatabaseCatalog(
            tables: tables.map { table in
                .init(name: table.name, columns: table.columns.filter { !$0.isGenerated }.map(\.name))
            }, entityNumbers: numbers,
            virtualTables: catalog.tables.filter(\.isVirtual).map { .init(name: $0.name, sql: $0.sql) },
            triggers: catalog.triggers.map(\.sql))
    }

    static func recordedNumbers(_ connection: Connection, _ catalog: Catalog) throws -> [String: Int] {
        guard let table = catalog.table("Z_PRIMARYKEY") else { return [:] }
        let names = Set(table.columns.filter { !$0.isGenerated }.map { $0.name.uppercased() })
        guard !table.isVirtual, names.isSuperset(of: ["Z_NAME", "Z_ENT"]) else { return [:] }
        var numbers: [String: Int] = [:]
        let statement = try connection.prepare("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY LIMIT 100000")
        while try statement.step() {
            guard let name = statement.text(0), let number = Int(exactly: statement.int64(1)), number < 16_000 else {
                continue
            }
            numbers[name] = number
        }
        return numbers
    }

    /// Returns the reasons not to write: triggers, checks and generated columns that the schema does not have.
    private static func foreignCode(_ catalog: Catalog, _ schema: StoreSchema) -> [String] {
        let ours = Set(schema.tables.map { $0.name.uppercased() } + ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
        let unknown = Set(schema.unknownTriggers(among: catalog.triggers.map(\.sql)))
        let triggers = catalog.triggers.filter { ours.contains($0.table.uppercased()) && unknown.contains($0.sql) }
        let code = catalog.tables.filter { ours.contains($0.name.uppercased()) }.compactMap(ForeignCode.reason)
        return [reason(triggers.map(\.name))].compactMap(\.self) + code
    }

    /// Returns one sentence about all unknown triggers: Photos libraries have dozens of them.
    private static func reason(_ triggers: [String]) -> String? {
        guard let first = triggers.first else { return nil }
        func end(_ them: String, _ change: String) -> String {
            "so the store is opened read-only: a save would run \(them), and neither its history nor objects in memory would "
                + "know of the rows that \(change)."
        }
        guard triggers.count > 1 else {
            return "The trigger \(first) is not one that the model calls for, \(end("it", "it changes"))"
        }
        let more = triggers.count > 3 ? " and \(triggers.count - 3) more" : ""
        return "\(triggers.count) triggers are not ones that the model calls for "
            + "(\(triggers.prefix(3).joined(separator: ", "))\(more)), \(end("them", "they change"))"
    }
}
