import CoreDataModeling

/// Sorts rows by descriptors in turn, nil first, and rows that are equal in all by their keys.
struct RecordSorting {
    /// What a row is sorted by, in a form that compares fast where it can.
    private enum Key {
        case null
        case integer(Int64)
        case real(Double)
        case value(Any)
    }

    private struct Column {
        /// Nil for the records themselves.
        let path: String?
        let comparison: SortComparison
        let ascending: Bool
    }

    private let tables: RecordTables
    private let columns: [Column]

    /// - Throws: 134060 for a key that rows cannot be sorted by.
    init(_ descriptors: [NSSortDescriptor], _ entity: EntityLayout, of tables: RecordTables) throws {
        self.tables = tables
        columns = try descriptors.map { try Self.column($0.sorting, entity) }
    }

    /// The rows, which are given in the order of their keys, in the order asked for.
    func sorted(_ rows: [RowReference]) throws -> [RowReference] {
        guard !columns.isEmpty else { return rows }
        let keys = try columns.map { column in try rows.map { try key($0, column) } }
        return try Array(rows.indices).sorted { left, right in
            for (number, column) in columns.enumerated() {
                let order = try Self.order(keys[number][left], keys[number][right], column.comparison)
                if order != .orderedSame { return (order == .orderedAscending) == column.ascending }
            }
            return left < right
        }.map { rows[$0] }
    }

    private static func column(_ sorting: Sorting, _ layout: EntityLayout) throws -> Column {
        let entity = layout.entity
        let path = try path(of: sorting, layout)
        if case .named(let name) = sorting.comparison, NamedComparisons.comparison(named: name) == nil {
            throw QueryRefusal.make(entity, path, "unsupported NSSortDescriptor selector: \(name)")
        }
        let isSelf = path.split(separator: ".").allSatisfy { ["self", "SELF", "objectID"].contains($0) }
        if !isSelf { try check(path, entity) }
        return Column(path: isSelf ? nil : path, comparison: sorting.comparison, ascending: sorting.ascending)
    }

    private static func path(of sorting: Sorting, _ layout: EntityLayout) throws -> String {
        if let key = sorting.key { return key }
        guard let keyPath = sorting.keyPath, keyPath != \Any.self else { return "self" }
        guard let key = layout.objectClass.propertyTable.key(of: keyPath) else {
            throw QueryRefusal.make(
                layout.entity, nil, "no property table names the Swift key path of a sort descriptor")
        }
        return key
    }

    private static func check(_ path: String, _ entity: NSEntityDescription) throws {
        let reason: String
        switch try RecordPath(path, from: entity) {
        case .attribute(let attribute) where attribute.attributeType == .transformableAttributeType:
            reason = "rows cannot be sorted by values that only a transformer understands"
        case .attribute(let attribute) where attribute.attributeType == .binaryDataAttributeType:
            reason = "rows cannot be sorted by binary data"
        case .collection: reason = "rows cannot be sorted by a to-many relationship"
        case .record: reason = "rows cannot be sorted by a relationship; sort by an attribute of its destination"
        case .attribute, .value: return
        }
        throw QueryRefusal.make(entity, path, reason)
    }

    // MARK: Keys

    private func key(_ row: RowReference, _ column: Column) throws -> Key {
        guard let path = column.path else { return .integer(row.key) }
        if let key = plainKey(row, path, column.comparison) { return key }
        return try StoredRecord(row, of: tables).codedValue(forKeyPath: path).map { .value($0) } ?? .null
    }

    /// The key of an attribute whose slot holds a number that compares as the value does.
    private func plainKey(_ row: RowReference, _ path: String, _ comparison: SortComparison) -> Key? {
        let layout = row.slab.layout
        if case .block = comparison { return nil }
        guard case .attribute(let slot) = layout.places[path], slot < layout.storedCount,
            case .attribute(_, let kind) = layout.slots[slot].content
        else { return nil }
        switch (row.slab.tag(row.index, slot), kind) {
        case (RowTag.null, _): return .null
        case (RowTag.integer, .integer16), (RowTag.integer, .integer32), (RowTag.integer, .integer64):
            return .integer(row.slab.integer(row.index, slot))
        case (RowTag.real, .double), (RowTag.real, .float), (RowTag.real, .date):
            let real = row.slab.real(row.index, slot)
            return real.isNaN ? nil : .real(real)
        default: return nil
        }
    }

    private static func order(_ left: Key, _ right: Key, _ comparison: SortComparison) throws -> ComparisonResult {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return order(left, right)
        case (.real(let left), .real(let right)): return order(left, right)
        case (.null, .null): return .orderedSame
        case (.null, _): return .orderedAscending
        case (_, .null): return .orderedDescending
        default: return try comparison.order(value(left), value(right))
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    private static func value(_ key: Key) -> Any? {
        switch key {
        case .null: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .value(let value): value
        }
    }
}
