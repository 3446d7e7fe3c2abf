import CoreDataSQL

/// Maps columns to properties, and makes the triggers that report changed rows to the history writer.
///
/// Temporary triggers report every change of a row, whatever causes it: saves, batch requests, cascades, derived
/// attributes. They belong to the connection and are not stored in the file. Each calls an SQL function with indexes
/// into this value.
struct HistoryTriggers {
    /// A table with the rows of an entity hierarchy.
    struct Table {
        let name: String
        /// By entity number: the property of each watched column, by the column's index; nil if the entity does not use
        /// the column.
        var properties: [Int: [Int?]] = [:]
        /// The watched columns.
        var columns: [String] = []
        /// The columns whose values are preserved when a row is deleted, and for each entity its tombstone values.
        var kept: [String] = []
        var tombstones: [Int: [Tombstone]] = [:]
    }

    /// The columns of a tombstone value, as indexes into `kept`.
    enum Tombstone {
        case column(Int)
        /// The columns of a composite's elements; nil for an element without column.
        case composite([Int?])
        /// The value has no column.
        case none
    }

    /// An end of a to-many relationship whose links are stored in other rows, with the property number for each owner
    /// entity.
    struct Ownership {
        let table: String
        let column: String
        let entity: OwnerEntity
        let orderColumn: String?
        var properties: [Int: Int] = [:]
        let isJoin: Bool
    }

    /// How to find the entity number of an owner.
    enum OwnerEntity {
        /// All owners are of one entity.
        case number(Int)
        /// A column beside the owner's key has it.
        case column(String)
        /// The owner's row has it.
        case table(String)
    }

    static let updated = "CoreDataHistoryUpdated"
    static let inserted = "CoreDataHistoryInserted"
    static let deleted = "CoreDataHistoryDeleted"
    static let linked = "CoreDataHistoryLinked"
    /// The number of columns that one bit mask covers.
    static let maskWidth = 60

    private(set) var tables: [Table] = []
    private(set) var ownerships: [Ownership] = []

    init(_ plans: [RowPlan], _ properties: [HistoryProperties]) {
        for plan in plans {
            let numbers = properties[plan.layout.number]
            add(plan, numbers)
            for toMany in plan.mapping.toManys {
                guard let number = numbers.number(of: toMany.name) else { continue }
                add(toMany, of: plan.mapping, number)
            }
        }
    }

    private mutating func add(_ plan: RowPlan, _ numbers: HistoryProperties) {
        let mapping = plan.mapping
        let index = tables.firstIndex { $0.name == mapping.table } ?? tables.count
        if index == tables.count { tables.append(Table(name: mapping.table)) }
        for field in plan.fields {
            let name = plan.layout.slots[field.isEntityNumber ? field.slot - 1 : field.slot].name
            tables[index].note(field.column, numbers.number(of: name), of: mapping.number)
        }
        tables[index].tombstones[mapping.number] = numbers.tombstoneSlots.map { slot in
            let fields = plan.fields.filter { $0.slot == slot && !$0.isEntityNumber }
            guard fields.contains(where: { $0.element != nil }) else {
                return fields.first.map { .column(tables[index].keep($0.column)) } ?? .none
            }
            var places: [Int?] = []
            for field in fields {
                guard let element = field.element else { continue }
                while places.count <= element { places.append(nil) }
                places[element] = tables[index].keep(field.column)
            }
            return .composite(places)
        }
    }

    private mutating func add(_ toMany: ToManyMapping, of mapping: EntityMapping, _ number: Int) {
        switch toMany.storage {
        case .foreignKey(let key):
            let entity = key.entityColumn.map(OwnerEntity.column) ?? .number(mapping.number)
            note(
                key.table, column: key.column, entity: entity, order: key.orderColumn, isJoin: false, number: number,
                of: mapping.number)
        case .join(let join):
            let columns = join.isReflexive ? [join.ownColumn, join.otherColumn] : [join.ownColumn]
            for column in columns {
                note(
                    join.table, column: column, entity: .table(mapping.table), order: join.orderColumn, isJoin: true,
                    number: number,
                    of: mapping.number)
            }
        }
    }

    private mutating func note(
        _ table: String, column: String, entity: OwnerEntity, order: String?, isJoin: Bool, number: Int,
        of owner: Int
    ) {
        let index = ownerships.firstIndex { $0.table == table && $0.column == column } ?? ownerships.count
        if index == ownerships.count {
            ownerships.append(
                Ownership(table: table, column: column, entity: entity, orderColumn: order, isJoin: isJoin))
        }
        ownerships[index].properties[owner] = number
    }

    // MARK: SQL

    /// The statements that create the triggers.
    var statements: [String] {
        let rows = tables.enumerated().flatMap { number, table in
            let owners = owners(in: table)
            return [
                Self.trigger(
                    "Inserted", number: number, kind: "INSERT", table: table.name,
                    body: ["SELECT \(Self.inserted)(\(number), NEW.Z_ENT, NEW.Z_PK)"]
                        + owners.map { Self.link($0, end: $1, row: "NEW") }),
                reportOfUpdates(number),
                Self.trigger(
                    "Deleted", number: number, kind: "DELETE", table: table.name,
                    body: owners.map { Self.link($0, end: $1, row: "OLD") } + [
                        "SELECT \(Self.deleted)("
                            + (["\(number)", "OLD.Z_ENT", "OLD.Z_PK"]
                            + table.kept.map { "OLD.\(SQLIdentifier.quoted($0))" }).joined(separator: ", ") + ")"
                    ]),
            ]
        }
        let joins = ownerships.enumerated().filter(\.element.isJoin).flatMap { number, end in
            [
                Self.trigger(
                    "Linked", number: number, kind: "INSERT", table: end.table,
                    body: [Self.link(number, end: end, row: "NEW")]),
                Self.trigger(
                    "Unlinked", number: number, kind: "DELETE", table: end.table,
                    body: [Self.link(number, end: end, row: "OLD")]),
                Self.trigger(
                    "Relinked", number: number, kind: "UPDATE", table: end.table, body: Self.relink(number, end)),
            ]
        }
        return rows + joins
    }

    /// Returns the statement that creates the trigger reporting updates of a table's rows.
    func reportOfUpdates(_ number: Int) -> String {
        let table = tables[number]
        return Self.trigger(
            "Updated", number: number, kind: "UPDATE", table: table.name,
            body: table.masks(number) + owners(in: table).flatMap { Self.relink($0, $1) })
    }

    /// Returns the statement that drops this trigger.
    func endOfReports(ofUpdates number: Int) -> String { "DROP TRIGGER temp.CoreDataHistoryUpdated\(number)" }

    /// Returns the ends of relationships whose links are stored in the rows of a table.
    private func owners(in table: Table) -> [(offset: Int, element: Ownership)] {
        ownerships.enumerated().filter { !$1.isJoin && $1.table == table.name }
    }

    private static func trigger(
        _ event: String, number: Int, kind: String, table: String, body: [String]
    ) -> String {
        "CREATE TEMP TRIGGER CoreDataHistory\(event)\(number) AFTER \(kind) ON main.\(SQLIdentifier.quoted(table)) BEGIN "
            + body.map { $0 + "; " }.joined() + "END"
    }

    /// Returns the call that reports an added or removed link.
    private static func link(_ number: Int, end: Ownership, row: String) -> String {
        let key = "\(row).\(SQLIdentifier.quoted(end.column))"
        return "SELECT \(linked)(\(number), \(key), \(end.entityNumber(in: row))) WHERE \(key) IS NOT NULL"
    }

    /// Returns the calls that report a link with another owner or position: for its old and its new owner.
    private static func relink(_ number: Int, _ end: Ownership) -> [String] {
        let columns = [end.column] + (end.orderColumn.map { [$0] } ?? [])
        let changed = columns.map { "OLD.\(SQLIdentifier.quoted($0)) IS NOT NEW.\(SQLIdentifier.quoted($0))" }
            .joined(separator: " OR ")
        return ["OLD", "NEW"].map { link(number, end: end, row: $0) + " AND (\(changed))" }
    }
}

extension HistoryTriggers.Ownership {
    /// Returns SQL for the entity number of the owner.
    fileprivate func entityNumber(in row: String) -> String {
        switch entity {
        case .number(let number): "\(number)"
        case .column(let column): "\(row).\(SQLIdentifier.quoted(column))"
        case .table(let table):
            "(SELECT Z_ENT FROM main.\(SQLIdentifier.quoted(table)) "
                + "WHERE Z_PK = \(row).\(SQLIdentifier.quoted(column)))"
        }
    }
}

extension HistoryTriggers.Table {
    fileprivate mutating func note(_ column: String, _ property: Int?, of entity: Int) {
        guard let property else { return }
        let index = columns.firstIndex(of: column) ?? columns.count
        if index == columns.count { columns.append(column) }
        var known = properties[entity] ?? []
        while known.count <= index { known.append(nil) }
        known[index] = property
        properties[entity] = known
    }

    fileprivate mutating func keep(_ column: String) -> Int {
        if let index = kept.firstIndex(of: column) { return index }
        kept.append(column)
        return kept.count - 1
    }

    /// Returns the calls that report which columns have changed, one call for each `maskWidth` columns.
    fileprivate func masks(_ number: Int) -> [String] {
        stride(from: 0, to: columns.count, by: HistoryTriggers.maskWidth).map { start in
            let part = columns[start..<min(columns.count, start + HistoryTriggers.maskWidth)]
            let mask = part.enumerated().map { bit, column in
                let name = SQLIdentifier.quoted(column)
                return "((OLD.\(name) IS NOT NEW.\(name)) << \(bit))"
            }
            return "SELECT \(HistoryTriggers.updated)(\(number), NEW.Z_ENT, NEW.Z_PK, \(start), "
                + mask.joined(separator: " | ") + ")"
        }
    }
}
