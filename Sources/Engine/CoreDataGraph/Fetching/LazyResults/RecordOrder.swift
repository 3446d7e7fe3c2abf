import CoreDataStore

/// The sort order of a fetch request, for records that may be rows or objects.
///
/// Compares rows by their stored values, as the store does; makes an object only for values that a row lacks.
struct RecordOrder {
    private var columns: [OrderColumn]
    private let maker: RowMaterializer

    init(_ descriptors: [NSSortDescriptor], _ maker: RowMaterializer) {
        columns = descriptors.map { OrderColumn(ObjectColumn($0.sorting)) }
        self.maker = maker
    }

    /// The sort keys of a record.
    ///
    /// - Throws: `UnknownKeyError` for a key that the object does not have.
    mutating func keys(of record: inout FoundRecord) throws -> [SortKey] {
        var keys: [SortKey] = []
        for index in columns.indices { keys.append(try columns[index].key(of: &record, maker)) }
        return keys
    }

    /// Whether a record comes before another one; false for equal ones.
    ///
    /// - Throws: the error of a comparison.
    func isAscending(_ left: [SortKey], _ right: [SortKey]) throws -> Bool {
        for (number, column) in columns.enumerated() {
            let order = try left[number].order(to: right[number], by: column.sorting.comparison)
            if order != .orderedSame { return (order == .orderedAscending) == column.sorting.ascending }
        }
        return false
    }

    /// Sorts records; equal ones keep their former order.
    mutating func sorted(_ records: [FoundRecord]) throws -> [FoundRecord] {
        guard !columns.isEmpty else { return records }
        var records = records
        let keys = try records.indices.map { try self.keys(of: &records[$0]) }
        let places = try records.indices.sorted { left, right in
            if try isAscending(keys[left], keys[right]) { return true }
            return try left < right && !isAscending(keys[right], keys[left])
        }
        return places.map { records[$0] }
    }
}

/// One sort descriptor, and the slot of its key in rows of the entity of the last row.
private struct OrderColumn {
    var sorting: Sorting { objects.sorting }
    private var objects: ObjectColumn
    private let isIdentity: Bool
    private var stamp = 0
    private var slot: PlainSlot?

    init(_ objects: ObjectColumn) {
        self.objects = objects
        isIdentity = objects.sorting.key.map(["self", "SELF", "objectID"].contains) ?? false
    }

    mutating func key(of record: inout FoundRecord, _ maker: RowMaterializer) throws -> SortKey {
        if isIdentity { return .integer(record.address.placeInOrder) }
        if record.object == nil, let row = record.row, let key = key(of: row) { return key }
        let object = maker.object(of: record)
        record.object = object
        return try objects.key(of: object)
    }

    private mutating func key(of row: RowSnapshot) -> SortKey? {
        let layout = row.slab.layout
        if stamp != layout.stamp {
            stamp = layout.stamp
            slot = objects.name(in: layout).flatMap(layout.plainSlot)
        }
        return slot.flatMap { SortKey(row.slab.slotValue(row.index, $0), for: sorting.comparison) }
    }
}

extension RowAddress {
    /// The number that sorts records by identity: the key, with those of unsaved records behind the others.
    fileprivate var placeInOrder: Int64 { binding.isTemporary ? key | 1 << 62 : key }
}
