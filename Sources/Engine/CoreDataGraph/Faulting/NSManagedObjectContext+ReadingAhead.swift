import CoreDataStore

/// Reading the rows of many faults together.
extension NSManagedObjectContext {
    /// Reads the missing rows of faults, with one statement for each hierarchy and store; does not fire the faults.
    ///
    /// - Throws: the error of a store that cannot be read.
    package func readRows(of objects: [NSManagedObject]) throws {
        var groups: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        for object in objects where object.flags.contains(.fault) && object.slab == nil {
            guard object.registry === registry, dataSource.knows(object) else { continue }
            if let row = dataSource.knownRow(object.binding, key: object.key, maximumAge: stalenessInterval) {
                _ = object.adopt(row.slab, row.index)
            } else {
                groups[object.binding.table, default: (object.binding, [])].keys.append(object.key)
            }
        }
        for (binding, keys) in groups.values { try readRows(binding, keys) }
    }

    private func readRows(_ binding: EntityBinding, _ keys: [Int64]) throws {
        for row in try dataSource.rows(binding, keys: keys) {
            let table = localBinding(row.slab.binding).table
            guard let object = registry.object(table: table, key: row.key) else { continue }
            if object.isFault { _ = object.adopt(row.slab, row.index) }
        }
    }
}
