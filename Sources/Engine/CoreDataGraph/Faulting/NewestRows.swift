import CoreDataStore

extension NSManagedObjectContext {
    /// The newest rows of records, by their row keys: from the row cache, or else from the stores with one query for
    /// each hierarchy and store. Leaves out records that no longer exist.
    ///
    /// - Throws: the error of a store that cannot be read.
    func newestRows(_ addresses: [RowAddress]) throws -> [RowKey: RowSnapshot] {
        var rows: [RowKey: RowSnapshot] = [:]
        var unknown: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        let dataSource = dataSource
        for address in addresses {
            if let row = dataSource.knownRow(address.binding, key: address.key, maximumAge: -1) {
                rows[RowKey(address)] = row
            } else {
                unknown[address.binding.table, default: (address.binding, [])].keys.append(address.key)
            }
        }
        for (binding, keys) in unknown.values {
            for row in try dataSource.rows(binding, keys: keys) {
                rows[RowKey(RowAddress(binding: localBinding(row.slab.binding), key: row.key))] = row
            }
        }
        return rows
    }

    /// The newest rows of records; empty, after reporting the error, when they cannot be read.
    func newestRowsOrReport(_ addresses: [RowAddress]) -> [RowKey: RowSnapshot] {
        do {
            return try newestRows(addresses)
        } catch {
            report(error, for: nil)
            return [:]
        }
    }
}
