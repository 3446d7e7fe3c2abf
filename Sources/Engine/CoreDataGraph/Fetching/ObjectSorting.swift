import CoreDataStore

/// Sorts objects in memory as stores sort rows: by each descriptor in turn, nil first; equal ones keep their former
/// order.
enum ObjectSorting {
    /// Sorts the objects; reads each sort key of an object once.
    ///
    /// - Throws: `UnknownKeyError` for a key that an object does not have, and what a comparison throws.
    static func sorted(_ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]) throws -> [NSManagedObject] {
        var columns = descriptors.map { ObjectColumn($0.sorting) }
        return try objects.sorted(by: columns.map(\.sorting)) { try columns[$1].key(of: $0) }
    }
}

/// One sort descriptor, and the slot of its key in objects of the entity of the last object.
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

    /// The descriptor's key, or the key of its Swift key path in the class's property table.
    func name(in layout: EntityLayout) -> String? {
        sorting.key ?? sorting.keyPath.flatMap { layout.table.key(of: $0) }
    }
}
