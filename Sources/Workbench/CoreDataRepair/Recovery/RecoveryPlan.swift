import CoreData
import SQLiteKit

/// Maps the tables and columns of a damaged store to those of the new store.
struct RecoveryPlan {
    /// The index of a value in a damaged store's row, the column of the new store for it, and the kind of the value.
    struct Field {
        let source: Int
        let column: String
        let content: Content
    }

    enum Content {
        case attribute(AttributeMapping, property: String)
        /// The key of another row, or a place in an ordered relationship: copied if it is an integer.
        case number
        /// The number of an entity, replaced by the number that the entity has in the new store.
        case entityNumber
    }

    /// An entity in the new store, with the fields that are copied from rows of the damaged store.
    struct Entity {
        let name: String
        let number: Int
        let table: String
        let fields: [Field]
        let version: Int?
    }

    /// A damaged store's table of an entity hierarchy.
    struct Table {
        let name: String
        let columnCount: Int
        let key: Int
        let entityColumn: Int
        /// The table's concrete entities by their numbers in the damaged store.
        var entities: [Int64: Entity]
        /// The entity of all rows if the table has exactly one concrete entity; else nil.
        var only: Entity? { entities.count == 1 ? entities.values.first : nil }
    }

    /// A damaged store's join table of a many-to-many relationship.
    struct Links {
        let name: String
        let columnCount: Int
        let fields: [Field]
        let table: String
    }

    private(set) var tables: [String: Table] = [:]
    private(set) var links: [String: Links] = [:]
    /// Tables that do not belong to Core Data.
    private(set) var others: [String: OtherTable] = [:]
    /// The entities' numbers in the new store, by their numbers in the damaged one.
    private(set) var numbers: [Int64: Int64] = [:]

    init(_ survey: RecoverySurvey, model: NSManagedObjectModel, configuration: String?) {
        let planned = StoreSchema(model: model, configuration: configuration, recordedNumbers: survey.numbers)
        let found = survey.tables.values.map { table in
            DatabaseCatalog.Table(name: table.name, columns: table.columns.filter { !$0.isGenerated }.map(\.name))
        }
        let source =
            found.isEmpty
            ? planned : planned.resolved(against: DatabaseCatalog(tables: found, entityNumbers: survey.numbers)).schema
        let assumed = Dictionary(
            source.tables.map { ($0.name.uppercased(), $0.columns.map { $0.name.uppercased() }) },
            uniquingKeysWith: { first, _ in first })
        let actual = Dictionary(
            survey.tables.values.map { ($0.name.uppercased(), $0.columns.map { $0.name.uppercased() }) },
            uniquingKeysWith: { first, _ in first })
        let columns = assumed.merging(actual) { $1 }
        let target = StoreSchema(model: model, configuration: configuration)
        for entity in source.entities {
            guard let new = target.entity(named: entity.name) else { continue }
            numbers[Int64(entity.number)] = Int64(new.number)
            guard let names = columns[entity.table.uppercased()] else { continue }
            add(entity, new: new, names: names)
            for toMany in entity.toManys { add(toMany, new: new.toMany(toMany.name), columns: columns) }
        }
        let virtual = survey.virtualTables
        for table in survey.tables.values where tables[table.name.uppercased()] == nil {
            let name = table.name.uppercased()
            // The shadow tables of a virtual table are not copied, as the virtual table is not recreated.
            guard links[name] == nil, !virtual.contains(where: { name.hasPrefix($0 + "_") }) else { continue }
            others[name] = OtherTable(table)
        }
    }

    private mutating func add(_ entity: EntityMapping, new: EntityMapping, names: [String]) {
        let key = entity.table.uppercased()
        guard let keyColumn = names.firstIndex(of: "Z_PK"), let entityColumn = names.firstIndex(of: "Z_ENT") else {
            return
        }
        var table =
            tables[key]
            ?? Table(
                name: entity.table, columnCount: names.count, key: keyColumn, entityColumn: entityColumn, entities: [:])
        if !entity.isAbstract {
            table.entities[Int64(entity.number)] = Entity(
                name: entity.name, number: new.number, table: new.table,
                fields: Self.fields(entity, new: new, names: names),
                version: names.firstIndex(of: "Z_OPT"))
        }
        tables[key] = table
    }

    private static func fields(_ entity: EntityMapping, new: EntityMapping, names: [String]) -> [Field] {
        var fields: [Field] = []
        func add(_ source: String?, _ column: String?, _ content: Content) {
            guard let source, let column, let place = names.firstIndex(of: source.uppercased()) else { return }
            fields.append(Field(source: place, column: column, content: content))
        }
        for attribute in entity.attributes {
            let match = new.attributes.first { $0.name == attribute.name && $0.elementPath == attribute.elementPath }
            add(attribute.column, match?.column, .attribute(attribute, property: "\(entity.name).\(attribute.name)"))
        }
        for toOne in entity.toOnes {
            let match = new.toOne(toOne.name)
            add(toOne.column, match?.column, .number)
            add(toOne.entityColumn, match?.entityColumn, .entityNumber)
            add(toOne.orderColumn, match?.orderColumn, .number)
        }
        for (key, match) in zip(entity.foreignKeys, new.foreignKeys) where key.relationship == match.relationship {
            add(key.column, match.column, .number)
            add(key.orderColumn, match.orderColumn, .number)
        }
        return fields
    }

    private mutating func add(_ toMany: ToManyMapping, new: ToManyMapping?, columns: [String: [String]]) {
        guard case .join(let join) = toMany.storage, case .join(let match)? = new?.storage,
            let names = columns[join.table.uppercased()], links[join.table.uppercased()] == nil
        else { return }
        let pairs = [
            (join.ownColumn, match.ownColumn), (join.otherColumn, match.otherColumn),
            (join.orderColumn, match.orderColumn), (join.inverseOrderColumn, match.inverseOrderColumn),
        ]
        let fields = pairs.compactMap { source, column -> Field? in
            guard let source, let column, let place = names.firstIndex(of: source.uppercased()) else { return nil }
            return Field(source: place, column: column, content: .number)
        }
        links[join.table.uppercased()] = Links(
            name: join.table, columnCount: names.count, fields: fields, table: match.table)
    }
}

extension RecoveryPlan {
    /// The only entity table whose rows have the shape of this one (key, entity number, number of values); nil for none
    /// or several.
    func table(fitting row: SalvagedRow) -> Table? {
        let fitting = tables.values.filter { table in
            guard row.values.count <= table.columnCount, row.values.count >= 3, row.values.indices.contains(table.key),
                case .null? = row.values[table.key], row.values.indices.contains(table.entityColumn),
                case .integer(let number)? = row.values[table.entityColumn]
            else { return false }
            return table.entities[number] != nil
        }
        return fitting.count == 1 ? fitting.first : nil
    }

    /// The only join table with as many columns as the row has values, all integers; nil for none or several.
    func links(fitting row: SalvagedRow) -> Links? {
        guard row.values.count >= 2, row.values.allSatisfy({ $0?.type == .integer }) else { return nil }
        let fitting = links.values.filter { $0.columnCount == row.values.count }
        return fitting.count == 1 ? fitting.first : nil
    }
}
