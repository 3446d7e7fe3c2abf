import CoreDataModeling

/// Where a row is found, as a key of dictionaries: all entities of a hierarchy share one number space.
struct RecordPlace: Hashable {
    let table: Int
    let key: Int64

    init(_ address: RowAddress) {
        table = address.binding.table
        key = address.key
    }

    init(_ object: NSManagedObject) {
        table = object.binding.table
        key = object.key
    }
}

extension NSManagedObjectContext {
    /// The newest rows of records, by their places: from the row cache, the others from their stores, with one question
    /// for each hierarchy and store. Records that are gone are left out.
    ///
    /// - Throws: the store's error.
    func newestRows(_ addresses: [RowAddress]) throws -> [RecordPlace: RowReference] {
        var rows: [RecordPlace: RowReference] = [:]
        var unknown: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        for address in addresses {
            guard let store = address.binding.store else { continue }
            if let row = store.rowCache.row(root: address.binding.layout.root, key: address.key) {
                rows[RecordPlace(address)] = row
            } else {
                unknown[address.binding.table, default: (address.binding, [])].keys.append(address.key)
            }
        }
        for (binding, keys) in unknown.values { try addStoredRows(binding, keys, to: &rows) }
        return rows
    }

    /// The newest rows of records; none, and reported, when they cannot be read.
    func newestRowsOrReport(_ addresses: [RowAddress]) -> [RecordPlace: RowReference] {
        do {
            return try newestRows(addresses)
        } catch {
            report(error, for: nil)
            return [:]
        }
    }

    private func addStoredRows(
        _ binding: EntityBinding, _ keys: [Int64], to rows: inout [RecordPlace: RowReference]
    ) throws {
        guard let store = binding.store, let source = store.objects else { return }
        // A sub-entity's row answers to its root's keys; the root stands for all of them.
        let root = modelLayout.layout(of: binding.layout.entity.rootEntity).map(store.binding(for:)) ?? binding
        let found = try store.serialized { try store.published(.rows(source.rows(of: root, keys: keys))) }
        guard case .rows(let runs) = found else { return }
        for run in runs {
            for index in run.range {
                let address = RowAddress(binding: binding, key: run.slab.key(index))
                rows[RecordPlace(address)] = RowReference(slab: run.slab, index: index)
            }
        }
    }
}
