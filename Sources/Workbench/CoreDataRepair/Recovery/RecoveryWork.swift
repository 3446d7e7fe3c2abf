import CoreData
import SQLiteKit

/// Copies the rows that can be read in the damaged file to the new store, and counts them in the report.
struct RecoveryWork {
    let plan: RecoveryPlan
    let target: RecoveryTarget
    /// The tables of the damaged file by their root pages.
    let tables: [Int: Catalog.Table]
    var report: RecoveryReport

    mutating func run(_ database: SalvagedDatabase) throws {
        // Reading the schema marks the pages of its B-tree as visited, so that they do not count as orphans.
        _ = database.schema()
        for table in plan.others.values.sorted(by: { $0.name < $1.name }) { try target.make(table) }
        for (root, table) in tables.sorted(by: { $0.key < $1.key }) {
            try database.forEachRow(root: root) { try add($0, to: table.name.uppercased(), isOrphan: false) }
        }
        try database.forEachOrphan { root, row in
            if let name = root.flatMap({ tables[$0] })?.name.uppercased() {
                try add(row, to: name, isOrphan: true)
            } else {
                try addByShape(row)
            }
        }
    }

    private mutating func add(_ row: SalvagedRow, to name: String, isOrphan: Bool) throws {
        if let table = plan.tables[name] { return try add(row, table, isOrphan: isOrphan) }
        if let links = plan.links[name] { return try add(row, links) }
        if let other = plan.others[name] { return try add(row, other) }
        guard !["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains(name) else { return }
        report.leftOut[name, default: 0] += 1
    }

    /// Adds a row of unknown table to the only table whose rows have the same shape; else counts it as refused.
    private mutating func addByShape(_ row: SalvagedRow) throws {
        if let table = plan.table(fitting: row) { return try add(row, table, isOrphan: true) }
        if let links = plan.links(fitting: row) { return try add(row, links) }
        report.refused["its table is not known", default: 0] += 1
    }

    private mutating func add(_ row: SalvagedRow, _ table: RecoveryPlan.Table, isOrphan: Bool) throws {
        guard row.values.count <= table.columnCount, row.values.count > table.entityColumn else {
            report.refused["it does not have the columns of the table \(table.name)", default: 0] += 1
            return
        }
        let number: Int64? = if case .integer(let number)? = row.values[table.entityColumn] { number } else { nil }
        guard let entity = number.flatMap({ table.entities[$0] }) ?? table.only else {
            report.refused["its entity number is not one of the table \(table.name)", default: 0] += 1
            return
        }
        // `Z_PK` is an alias of the rowid, which the cell stores. Only a table that declares it differently stores the
        // value.
        var key = row.key
        if row.values.indices.contains(table.key), case .integer(let own)? = row.values[table.key] { key = own }
        var version: Int64 = 1
        if let place = entity.version, row.values.indices.contains(place),
            case .integer(let stored)? = row.values[place]
        {
            version = max(0, stored)
        }
        let values = entity.fields.map { ($0.column, value(of: $0, row)) }
        switch try target.add(entity, key: key, version: version, values) {
        case .added:
            report.rows[entity.name, default: 0] += 1
            if isOrphan { report.orphans += 1 }
        case .doubled: report.doubled += 1
        }
    }

    private mutating func value(of field: RecoveryPlan.Field, _ row: SalvagedRow) -> Value {
        // A row that was written before ALTER TABLE added a column has no value for the column.
        guard row.values.indices.contains(field.source) else { return .null }
        switch (field.content, row.values[field.source]) {
        case (.attribute(_, let property), nil):
            report.emptied[property, default: 0] += 1
            return .null
        case (.attribute(let mapping, let property), let value?):
            if let checked = RecoveredValue.checked(value, mapping) { return checked }
            report.emptied[property, default: 0] += 1
            return .null
        case (.number, .integer(let number)?): return .integer(number)
        case (.entityNumber, .integer(let number)?): return plan.numbers[number].map { .integer($0) } ?? .null
        case (.number, _), (.entityNumber, _): return .null
        }
    }

    private mutating func add(_ row: SalvagedRow, _ other: OtherTable) throws {
        guard let values = other.values(of: row) else {
            report.refused["it does not have the columns of the table \(other.name)", default: 0] += 1
            return
        }
        let emptied = row.values.count { $0 == nil }
        if emptied > 0 { report.emptied[other.name, default: 0] += emptied }
        switch try target.add(other, key: row.key, values) {
        case .added: report.otherRows[other.name, default: 0] += 1
        case .doubled: report.doubled += 1
        }
    }

    private mutating func add(_ row: SalvagedRow, _ links: RecoveryPlan.Links) throws {
        let values = links.fields.map { ($0.column, value(of: $0, row)) }
        guard row.values.count <= links.columnCount, values.prefix(2).allSatisfy({ $0.1 != .null }) else {
            report.refused["it is not a link of the table \(links.name)", default: 0] += 1
            return
        }
        switch try target.add(links, values) {
        case .added: report.links += 1
        case .doubled: report.doubled += 1
        }
    }
}
