import CoreDataModeling

/// Sorts objects in memory as a store sorts rows: by descriptors in turn, nil first, equal ones in their former order.
enum ObjectSorting {
    /// The objects in order; each sort key is read once an object.
    ///
    /// - Throws: `UnknownKeyError` for a key that an object does not have, and what a comparison throws.
    static func sorted(_ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]) throws -> [NSManagedObject] {
        let keys = descriptors.map { SortKey($0) }
        let decorated = try objects.enumerated().map { offset, object in
            (offset: offset, object: object, values: try keys.map { try $0.value(of: object) })
        }
        return try decorated.sorted { left, right in
            for (number, key) in keys.enumerated() {
                let order = try key.sorting.comparison.order(left.values[number], right.values[number])
                if order != .orderedSame { return (order == .orderedAscending) == key.sorting.ascending }
            }
            return left.offset < right.offset
        }.map(\.object)
    }
}

/// What one descriptor sorts by.
private struct SortKey {
    let sorting: Sorting

    init(_ descriptor: NSSortDescriptor) { sorting = descriptor.sorting }

    func value(of object: NSManagedObject) throws -> Any? {
        if let key = sorting.key { return try object.codedValue(forKeyPath: key) }
        guard let keyPath = sorting.keyPath else { return object }
        if let key = object.layout.objectClass.propertyTable.key(of: keyPath) {
            return try object.codedValue(forKeyPath: key)
        }
        return object[keyPath: keyPath]
    }
}
