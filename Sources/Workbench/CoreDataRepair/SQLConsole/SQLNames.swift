import CoreData
import SQLiteKit

/// The tables and columns of a store with their meanings in the model, and the functions that statements may call.
package struct SQLNames: Sendable {
    package struct Table: Sendable {
        package let name: String
        /// The root entity of the objects in the table; nil for a table that is not an entity's.
        package let entity: String?
        package let columns: [Column]
    }

    package struct Column: Sendable {
        package let name: String
        package let type: String
        package let meaning: SQLColumnMeaning?
    }

    package let tables: [Table]
    private let meanings: [String: [String: SQLColumnMeaning]]
    /// The names of functions that statements may call; empty for a server's store, which allows more.
    private let functions: [String]

    /// - Parameter model: nil if no model is available; then only the columns of Core Data's bookkeeping have meanings.
    init(_ store: RawStore, model: NSManagedObjectModel?, configuration: String?) throws {
        let schema = try model.map { try store.resolution(of: $0, configuration: configuration).schema }
        let listed = store.catalog.tables.map { table in
            StatementTable(name: table.name, columns: table.columns.map { ($0.name, $0.declaredType) })
        }
        self.init(
            listed, schema: schema,
            functions: SQLReadingNames.functions.sorted().filter { !$0.hasPrefix("-") })
    }

    /// - Parameter schema: nil if no model is available.
    init(_ listed: [StatementTable], schema: StoreSchema?, functions: [String]) {
        self.functions = functions
        var meanings = Meanings()
        for table in listed { meanings.addCommon(to: table) }
        if let schema { meanings.add(schema) }
        self.meanings = meanings.byTable
        let entities = Dictionary(
            schema?.entities.map { ($0.table.uppercased(), $0.name) } ?? [], uniquingKeysWith: { first, _ in first })
        tables = listed.map { table in
            let known = meanings.byTable[table.name.uppercased()] ?? [:]
            let columns = table.columns.map {
                Column(name: $0.name, type: $0.type, meaning: known[$0.name.uppercased()])
            }
            return Table(name: table.name, entity: entities[table.name.uppercased()], columns: columns)
        }
    }

    /// The meaning of a column; nil if the model does not describe it.
    func meaning(_ table: String, _ column: String) -> SQLColumnMeaning? {
        meanings[table.uppercased()]?[column.uppercased()]
    }

    package var json: JSONValue {
        .object([
            (
                "tables",
                .array(
                    tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("entity", .text(table.entity)),
                            ("columns", .array(table.columns.map(\.json))),
                        ])
                    })
            ),
            ("functions", .array(functions.map { .string($0) })),
        ])
    }
}

extension SQLNames.Column {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("type", .string(type)), ("kind", .text(meaning?.kind.rawValue)),
            ("entity", .text(meaning?.entity)), ("property", .text(meaning?.property)),
            ("isDate", .bool(meaning?.isDate ?? false)),
        ])
    }
}

/// The meanings of columns, by the names of table and column in upper case.
///
/// If several entities store a property in one column, the first one in the schema is named: entities precede
/// subentities.
private struct Meanings {
    private(set) var byTable: [String: [String: SQLColumnMeaning]] = [:]

    private mutating func note(
        _ table: String, column: String?, kind: SQLColumnMeaning.Kind, entity: String? = nil,
        property: String? = nil, isDate: Bool = false
    ) {
        guard let column else { return }
        let meaning = SQLColumnMeaning(kind: kind, entity: entity, property: property, isDate: isDate)
        if byTable[table.uppercased()]?[column.uppercased()] == nil {
            byTable[table.uppercased(), default: [:]][column.uppercased()] = meaning
        }
    }

    mutating func addCommon(to table: StatementTable) {
        for column in table.columns {
            switch column.name.uppercased() {
            case "Z_PK": note(table.name, column: column.name, kind: .key)
            case "Z_ENT": note(table.name, column: column.name, kind: .entityNumber)
            case "Z_OPT": note(table.name, column: column.name, kind: .version)
            case "ZTIMESTAMP" where table.name.uppercased() == "ATRANSACTION":
                note(table.name, column: column.name, kind: .attribute, isDate: true)
            default: continue
            }
        }
    }

    mutating func add(_ schema: StoreSchema) {
        for entity in schema.entities {
            for attribute in entity.attributes {
                let name = ([attribute.name] + attribute.elementPath).joined(separator: ".")
                note(
                    entity.table, column: attribute.column, kind: .attribute, entity: entity.name, property: name,
                    isDate: attribute.type == .dateAttributeType)
            }
            for toOne in entity.toOnes {
                note(entity.table, column: toOne.column, kind: .relationship, entity: entity.name, property: toOne.name)
                note(
                    entity.table, column: toOne.entityColumn, kind: .relationshipEntity, entity: entity.name,
                    property: toOne.name)
                note(entity.table, column: toOne.orderColumn, kind: .order, entity: entity.name, property: toOne.name)
            }
            for key in entity.foreignKeys {
                let owner = schema.entity(number: key.owner)?.name
                note(entity.table, column: key.column, kind: .relationship, entity: owner, property: key.relationship)
                note(entity.table, column: key.orderColumn, kind: .order, entity: owner, property: key.relationship)
            }
        }
        for join in schema.joinTables {
            let names = join.relationship.split(separator: ".", maxSplits: 1).map(String.init)
            for column in [join.ownColumn, join.otherColumn] {
                note(join.table, column: column.name, kind: .relationship, entity: names.first, property: names.last)
            }
            for column in [join.orderColumn, join.inverseOrderColumn] {
                note(join.table, column: column?.name, kind: .order, entity: names.first, property: names.last)
            }
        }
    }
}
