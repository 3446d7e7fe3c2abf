import CoreDataStore

/// Sorts rows by descriptors in turn, nil first, and rows that are equal in all by their keys.
struct RecordSorting {
    private struct Column {
        /// Nil for the records themselves.
        let path: String?
        let sorting: Sorting
    }

    private let tables: RecordTables
    private let columns: [Column]

    /// - Throws: 134060 for a key that rows cannot be sorted by.
    init(_ descriptors: [NSSortDescriptor], _ entity: EntityLayout, of tables: RecordTables) throws {
        self.tables = tables
        columns = try descriptors.map { try Self.column($0.sorting, entity) }
    }

    /// The rows, which are given in the order of their keys, in the order asked for.
    func sorted(_ rows: [RowSnapshot]) throws -> [RowSnapshot] {
        guard !columns.isEmpty else { return rows }
        return try rows.sorted(by: columns.map(\.sorting)) { try key($0, columns[$1]) }
    }

    private static func column(_ sorting: Sorting, _ layout: EntityLayout) throws -> Column {
        let path = try path(of: sorting, layout)
        return Column(path: try checkSortable(path, by: sorting, layout.entity) ? nil : path, sorting: sorting)
    }

    /// Sees to it that rows of an entity can be sorted by a path; true for the path to the records themselves.
    ///
    /// - Throws: 134060 for a key that rows cannot be sorted by, and a comparison that nobody knows.
    @discardableResult
    static func checkSortable(_ path: String, by sorting: Sorting, _ entity: NSEntityDescription) throws -> Bool {
        if case .named(let name) = sorting.comparison, NamedComparisons.comparison(named: name) == nil {
            throw QueryRefusal.make(entity, path, "unsupported NSSortDescriptor selector: \(name)")
        }
        let isSelf = path.split(separator: ".").allSatisfy { ["self", "SELF", "objectID"].contains($0) }
        if !isSelf { try check(path, entity) }
        return isSelf
    }

    /// The key path that a descriptor sorts by.
    ///
    /// - Throws: 134060 for a Swift key path that no table names.
    static func path(of sorting: Sorting, _ layout: EntityLayout) throws -> String {
        if let key = sorting.key { return key }
        guard let keyPath = sorting.keyPath, keyPath != \Any.self else { return "self" }
        guard let key = layout.table.key(of: keyPath) else {
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

    private func key(_ row: RowSnapshot, _ column: Column) throws -> SortKey {
        guard let path = column.path else { return .integer(row.key) }
        let stored = StoredRow(row, of: tables)
        if let slot = stored.slot(of: path),
            let key = SortKey(stored.value(in: slot), for: column.sorting.comparison)
        {
            return key
        }
        return SortKey(try StoredRecord(row, of: tables).codedValue(forKeyPath: path))
    }
}
