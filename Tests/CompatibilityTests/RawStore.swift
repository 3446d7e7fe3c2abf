import CoreData
import SQLiteKit
import Testing

/// The same store read by plain SQL, by the rules of the schema as they are written down, without the library's own
/// mapping of models to tables.
final class RawStore {
    let connection: Connection
    /// Number and number of the parent by entity name.
    let entities: [String: (number: Int64, parent: Int64)]
    let names: [Int64: String]
    let hasRenamedEntity: Bool
    private let catalog: Catalog

    /// Where one entity's recorded name is not the model's, a migration has renamed the one that the model has beyond.
    init(_ url: URL, _ model: NSManagedObjectModel) throws {
        connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        catalog = try connection.catalog()
        var entities: [String: (number: Int64, parent: Int64)] = [:]
        for row in try connection.rows("SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000") {
            entities[row[0].text ?? ""] = (row[1].integer ?? 0, row[2].integer ?? 0)
        }
        let strangers = entities.keys.filter { model.entitiesByName[$0] == nil }
        let unrecorded = model.entitiesByName.keys.filter { entities[$0] == nil }
        if strangers.count == 1, unrecorded.count == 1 {
            entities[unrecorded[0]] = entities.removeValue(forKey: strangers[0])
        }
        hasRenamedEntity = !strangers.isEmpty
        self.entities = entities
        names = Dictionary(uniqueKeysWithValues: entities.map { ($1.number, $0) })
    }

    func number(_ entity: NSEntityDescription) throws -> Int64 {
        try #require(entities[entity.name ?? ""]).number
    }

    /// The numbers of an entity and of all that inherit from it, by `Z_SUPER`.
    func family(_ entity: NSEntityDescription) throws -> Set<Int64> {
        var family: Set<Int64> = [try number(entity)]
        while true {
            let more = entities.values.filter { family.contains($0.parent) && !family.contains($0.number) }
            guard !more.isEmpty else { return family }
            family.formUnion(more.map(\.number))
        }
    }

    static func table(_ entity: NSEntityDescription) -> String {
        var root = entity
        while let parent = root.superentity { root = parent }
        return "Z" + (root.name ?? "").uppercased()
    }

    static func column(_ name: String) -> String { "Z" + name.uppercased() }

    /// Rows of exactly one entity by key, each by column.
    func rows(_ entity: NSEntityDescription) throws -> [Int64: [String: Value]] {
        let statement = try connection.prepare("SELECT * FROM \(Self.table(entity)) WHERE Z_ENT = ?")
        try statement.bind(try number(entity), at: 1)
        var rows: [Int64: [String: Value]] = [:]
        while try statement.step() {
            let row = Dictionary(uniqueKeysWithValues: zip(statement.columnNames, statement.values()))
            rows[row["Z_PK"]?.integer ?? -1] = row
        }
        return rows
    }

    func integers(_ sql: String) throws -> [Int64] { try connection.rows(sql).map { $0[0].integer ?? -1 } }

    /// The keys that a to-many relationship leads to, by owner; in order where it is ordered.
    func members(_ relationship: NSRelationshipDescription) throws -> [Int64: [Int64]] {
        let inverse = try #require(relationship.inverseRelationship)
        let declaring = try #require(inverse.entity)
        if !inverse.isToMany {
            let table = Self.table(try #require(relationship.destinationEntity))
            let column = Self.column(inverse.name)
            let order = relationship.isOrdered ? "Z_FOK_\(inverse.name.uppercased())" : "Z_PK"
            let family = try self.family(declaring).map(String.init).joined(separator: ",")
            return try grouped(
                "SELECT \(column), Z_PK FROM \(table) WHERE \(column) NOT NULL AND Z_ENT IN (\(family)) "
                    + "ORDER BY \(column), \(order)")
        }
        let own = try number(try #require(relationship.entity))
        let other = try number(declaring)
        let ownColumn = "Z_\(own)\(inverse.name.uppercased())"
        let otherColumn = "Z_\(other)\(relationship.name.uppercased())"
        let ends = [relationship.name.uppercased(), inverse.name.uppercased()]
        let table = try #require(
            catalog.tables.first { table in
                ends.contains { table.name == "Z_\(min(own, other))\($0)" }
                    && [ownColumn, otherColumn].allSatisfy { wanted in
                        table.columns.contains { Self.matches($0.name, wanted) }
                    }
            })
        let actualOwn = try #require(table.columns.first { Self.matches($0.name, ownColumn) }).name
        let actualOther = try #require(table.columns.last { Self.matches($0.name, otherColumn) }).name
        let order = relationship.isOrdered ? "Z_FOK_\(other)\(relationship.name.uppercased())" : actualOther
        return try grouped("SELECT \(actualOwn), \(actualOther) FROM \(table.name) ORDER BY \(actualOwn), \(order)")
    }

    /// Whether a join column is the wanted one, with or without the digits that tell it from another table's.
    private static func matches(_ name: String, _ wanted: String) -> Bool {
        name.hasPrefix(wanted) && name.dropFirst(wanted.count).allSatisfy(\.isNumber)
    }

    private func grouped(_ sql: String) throws -> [Int64: [Int64]] {
        var groups: [Int64: [Int64]] = [:]
        for row in try connection.rows(sql) { groups[row[0].integer ?? -1, default: []].append(row[1].integer ?? -1) }
        return groups
    }

    // MARK: Everything

    /// Rows by table and row id, each by column.
    typealias Tables = [String: [Int64: [String: Value]]]

    /// Every row of every table.
    func tables() throws -> Tables {
        var tables: Tables = [:]
        for table in catalog.tables {
            let statement = try connection.prepare("SELECT rowid, * FROM \"\(table.name)\"")
            var rows: [Int64: [String: Value]] = [:]
            while try statement.step() {
                let values = statement.values()
                let row = zip(statement.columnNames.dropFirst(), values.dropFirst())
                rows[values[0].integer ?? -1] = Dictionary(uniqueKeysWithValues: row)
            }
            tables[table.name] = rows
        }
        return tables
    }

    func schema() throws -> [[Value]] {
        try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    }
}

extension Value {
    var double: Double? {
        switch self {
        case .real(let real): real
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}
