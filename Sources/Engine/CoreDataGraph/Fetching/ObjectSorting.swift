import CoreDataStore

/// Sorts objects in memory as a store sorts rows: by descriptors in turn, nil first, equal ones in their former order.
enum ObjectSorting {
    /// The objects in order; each sort key is read once an object.
    ///
    /// - Throws: `UnknownKeyError` for a key that an object does not have, and what a comparison throws.
    static func sorted(_ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]) throws -> [NSManagedObject] {
        var columns = descriptors.map { ObjectColumn($0.sorting) }
        return try objects.sorted(by: columns.map(\.sorting)) { try columns[$1].key(of: $0) }
    }
}

/// What one descriptor sorts by, and where objects of the last entity have it.
struct ObjectColumn {
    let sorting: Sorting
    private var stamp = 0
    private var slot: PlainSlot?

    init(_ sorting: Sorting) { self.sorting = sorting }

    mutating func key(of object: NSManagedObject) throws -> SortKey {
        if stamp != object.slotStamp {
            stamp = object.slotStamp
            slot = name(in: object.layout).flatMap { stamp == 0 ? nil : object.slot(of: $0) }
        }
        if let slot, let key = SortKey(object.value(in: slot), for: sorting.comparison) { return key }
        return SortKey(try value(of: object))
    }

    private func value(of object: NSManagedObject) throws -> Any? {
        if let rank = sorting.rank { return try rank.value { try object.codedValue(forKeyPath: $0) } }
        if let key = name(in: object.layout) { return try object.codedValue(forKeyPath: key) }
        return sorting.keyPath.map { object[keyPath: $0] as Any? } ?? object
    }

    /// The key, or that of the Swift key path by the class's table.
    func name(in layout: EntityLayout) -> String? {
        sorting.key ?? sorting.keyPath.flatMap { layout.table.key(of: $0) }
    }
}
