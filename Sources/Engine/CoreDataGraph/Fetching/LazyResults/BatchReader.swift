import CoreDataStore

/// Reads the rows of consecutive records of a result, and makes their objects.
struct BatchReader {
    let context: NSManagedObjectContext
    let request: UntypedFetchRequest
    let prefetch: PrefetchPlan?

    func objects(_ found: FoundList, _ range: Range<Int>) -> [NSManagedObject] {
        do {
            return try readObjects(found, range)
        } catch {
            context.report(error, for: nil)
            return range.map { found.unsaved[$0] ?? context.object(at: found.list[$0]) }
        }
    }

    private func readObjects(_ found: FoundList, _ range: Range<Int>) throws -> [NSManagedObject] {
        let places = range.filter { found.unsaved[$0] == nil }
        let readsValues =
            request.includesPropertyValues || !request.returnsObjectsAsFaults || prefetch != nil
        let rows = readsValues ? try rows(of: places.map { found.list[$0] }) : [:]
        let maker = RowMaterializer(context: context, request: request)
        let objects = range.map { place in
            let address = context.localAddress(found.list[place])
            return found.unsaved[place] ?? maker.object(at: address, row: rows[RowKey(address)])
        }
        if let prefetch { try Prefetching(context: context).run(prefetch, for: objects) }
        return objects
    }

    /// The rows of records that need them; those not known are read with one statement for each hierarchy and store.
    func rows(of addresses: [RowAddress]) throws -> [RowKey: RowSnapshot] {
        var rows: [RowKey: RowSnapshot] = [:]
        var groups: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        for address in addresses.lazy.map(context.localAddress) where isWanted(address) {
            let known = context.dataSource.knownRow(
                address.binding, key: address.key, maximumAge: context.stalenessInterval)
            if let known, !request.shouldRefreshRefetchedObjects {
                rows[RowKey(address)] = known
            } else {
                groups[address.binding.table, default: (address.binding, [])].keys.append(address.key)
            }
        }
        for (binding, keys) in groups.values {
            for row in try context.dataSource.rows(binding, keys: keys) {
                let binding = context.localBinding(row.slab.binding)
                rows[RowKey(context.localAddress(RowAddress(binding: binding, key: row.key)))] = row
            }
        }
        return rows
    }

    /// Objects with values need no row, unless the request refreshes them.
    private func isWanted(_ address: RowAddress) -> Bool {
        guard !request.shouldRefreshRefetchedObjects else { return true }
        let object = context.registry.object(table: address.binding.table, key: address.key)
        return object?.isFault ?? true
    }
}
