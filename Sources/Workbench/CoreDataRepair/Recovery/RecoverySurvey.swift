import CoreData
import SQLiteKit

/// Reads what is left of a damaged store's schema and bookkeeping: tables, UUID, metadata, cached model, entity
/// numbers.
struct RecoverySurvey {
    private static let greatestModel = 64 << 20

    /// The tables of the file with their columns, by root page.
    private(set) var tables: [Int: Catalog.Table] = [:]
    /// The names of virtual tables, in upper case.
    private(set) var virtualTables: Set<String> = []
    private(set) var identifier: String?
    /// The metadata of the damaged store: the unchanged bytes of their property list, and their values.
    private(set) var metadata: (bytes: [UInt8], values: [String: Any])?
    private(set) var keptModel: (bytes: [UInt8], model: NSManagedObjectModel)?
    /// The entities' numbers, by entity name. Like `greatestKeys` (the greatest keys assigned), read from
    /// `Z_PRIMARYKEY`.
    private(set) var numbers: [String: Int] = [:]
    private(set) var greatestKeys: [String: Int64] = [:]
    /// Whether at least one table could be read from the schema.
    var hasSchema: Bool { !tables.isEmpty }

    init(path: String) throws {
        guard let database = SalvagedDatabase(path: path) else {
            throw InspectionError(
                .unreadable, subject: path, cause: "there is no file that can be read",
                hint: "give the path of a store's file")
        }
        let items = database.schema()
        tables = try Self.tables(items)
        virtualTables = Set(
            items.filter { $0.type == "table" && $0.root == 0 }.map { $0.name.uppercased() }.filter { !$0.isEmpty })
        for item in items where item.type == "table" {
            gather(item.name.uppercased(), root: item.root, database: database)
        }
        guard metadata == nil || keptModel == nil || numbers.isEmpty,
            let whole = SalvagedDatabase(path: path)
        else { return }
        // These rows are recognized by their values alone, so their tables need not be known.
        whole.forEachOrphan { _, row in
            noteMetadata(row)
            noteModel(row)
            noteNumbers(row)
        }
    }

    /// The version hashes in the metadata; empty if the metadata cannot be read.
    var hashes: [String: Data] { metadata?.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

    private mutating func gather(_ name: String, root: Int, database: SalvagedDatabase) {
        switch name {
        case "Z_METADATA":
            database.forEachRow(root: root) {
                noteIdentifier($0)
                noteMetadata($0)
            }
        case "Z_MODELCACHE": database.forEachRow(root: root) { noteModel($0) }
        case "Z_PRIMARYKEY": database.forEachRow(root: root) { noteNumbers($0) }
        default: break
        }
    }

    /// Notes the UUID, which has a column of its own and is used even if the property list beside it is damaged.
    private mutating func noteIdentifier(_ row: SalvagedRow) {
        guard identifier == nil, row.values.count == 3, case .text(let text)? = row.values[1],
            UUID(uuidString: text) != nil
        else { return }
        identifier = text
    }

    private mutating func noteMetadata(_ row: SalvagedRow) {
        guard row.values.count == 3, case .text? = row.values[1], case .blob(let bytes)? = row.values[2],
            bytes.starts(with: Array("bplist".utf8))
        else { return }
        noteIdentifier(row)
        guard metadata == nil, let list = try? PropertyList(binary: Data(bytes)), let entries = list.dictionary,
            let hashes = entries[NSStoreModelVersionHashesKey]?.dictionary,
            hashes.values.allSatisfy({ $0.data?.count == 32 })
        else { return }
        metadata = (bytes, entries.mapValues(\.foundationValue))
    }

    private mutating func noteModel(_ row: SalvagedRow) {
        guard keptModel == nil, row.values.count == 1, case .blob(let bytes)? = row.values[0],
            bytes.count <= Self.greatestModel, let model = try? NSManagedObjectModel(cachedModel: Data(bytes)),
            !model.entities.isEmpty
        else { return }
        keptModel = (bytes, model)
    }

    /// Notes a row of `Z_PRIMARYKEY`. `Z_ENT` is an alias of the rowid, so the record stores NULL for it.
    private mutating func noteNumbers(_ row: SalvagedRow) {
        guard row.values.count == 4, case .null? = row.values[0], case .text(let name)? = row.values[1],
            case .integer? = row.values[2], let number = Int(exactly: row.key), number > 0
        else { return }
        if number < 16_000, numbers[name] == nil { numbers[name] = number }
        if case .integer(let greatest)? = row.values[3] { greatestKeys[name] = max(greatest, greatestKeys[name] ?? 0) }
    }

    /// The tables with their columns, by root page: SQLite creates empty ones in memory from the schema's statements.
    private static func tables(_ items: [SalvagedDatabase.SchemaItem]) throws -> [Int: Catalog.Table] {
        let scratch = try Connection.inMemory()
        defer { scratch.close() }
        var roots: [String: Int] = [:]
        for item in items.prefix(10_000) where item.type == "table" && item.root > 0 {
            guard item.sql.uppercased().hasPrefix("CREATE TABLE"), item.sql.utf8.count < 1 << 20 else { continue }
            // A statement that SQLite cannot execute here is not one of Core Data's tables, so it is skipped.
            guard (try? scratch.execute(item.sql)) != nil else { continue }
            roots[item.name.uppercased()] = item.root
        }
        var tables: [Int: Catalog.Table] = [:]
        for table in try scratch.catalog().tables {
            if let root = roots[table.name.uppercased()] { tables[root] = table }
        }
        return tables
    }
}
