import CoreDataStore

/// Sorts rows by several sort descriptors, with nil first, and equal rows by their keys.
package struct RecordSorting {
    private struct Column {
        /// The key path to sort by; nil to sort by the records' keys. Unused if the sort descriptor is a search rank.
        let path: String?
        let sorting: Sorting
    }

    private let source: any RecordFinding
    private let columns: [Column]

    /// - Throws: `NSCoreDataError` for a key by which rows cannot be sorted.
    package init(_ descriptors: [NSSortDescriptor], _ entity: EntityLayout, of source: any RecordFinding) throws {
        self.source = source
        columns = try descriptors.map { try Self.column($0.sorting, entity) }
    }

    /// Sorts rows, which must be given in the order of their keys.
    package func sorted(_ rows: [RowSnapshot]) throws -> [RowSnapshot] {
        guard !columns.isEmpty else { return rows }
        return try rows.sorted(by: columns.map(\.sorting)) { try key($0, columns[$1]) }
    }

    private static func column(_ sorting: Sorting, _ layout: EntityLayout) throws -> Column {
        if let rank = sorting.rank {
            try SortReview.check(rank, layout.entity)
            return Column(path: "", sorting: sorting)
        }
        let path = try SortReview.path(of: sorting, layout)
        return Column(
            path: try SortReview.checkSortable(path, by: sorting, layout.entity) ? nil : path, sorting: sorting)
    }

    // MARK: Keys

    private func key(_ row: RowSnapshot, _ column: Column) throws -> SortKey {
        if let rank = column.sorting.rank {
            let record = StoredRecord(row, of: source)
            return SortKey(try rank.value { try record.codedValue(forKeyPath: $0) })
        }
        guard let path = column.path else { return .integer(row.key) }
        let stored = StoredRow(row, of: source)
        if let slot = stored.slot(of: path),
            let key = SortKey(stored.value(in: slot), for: column.sorting.comparison)
        {
            return key
        }
        return SortKey(try StoredRecord(row, of: source).codedValue(forKeyPath: path))
    }
}
