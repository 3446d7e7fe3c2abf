import CoreDataModeling

/// Which faults came together, so that with the first of them that fires its neighbours are read too.
///
/// Only faults without a row need it: members of relationships, and objects fetched without their values. The last few
/// batches are known by their keys; they keep no object and no row.
struct FaultBatches {
    /// How many rows one statement reads ahead: enough to be rare, few enough not to read much that nobody wants.
    static let rowsAtOnce = 100
    private static let mostBatches = 8

    private struct Batch {
        let table: Int
        let keys: [Int64]
        /// The places of the keys, found when one of them is first asked for.
        var places: [Int64: Int]?
    }

    private var batches: [Batch] = []

    /// Notes rows whose objects were made together.
    mutating func note(_ addresses: [RowAddress]) {
        guard addresses.count > 1, let table = addresses.first?.binding.table else { return }
        if batches.count == Self.mostBatches { batches.removeFirst() }
        batches.append(Batch(table: table, keys: addresses.map(\.key), places: nil))
    }

    /// The keys that came together with one, itself among them, as many as are read at once; none for one that came
    /// alone.
    mutating func neighbours(table: Int, key: Int64) -> ArraySlice<Int64> {
        for index in batches.indices.reversed() where batches[index].table == table {
            if batches[index].places == nil {
                batches[index].places = Dictionary(
                    zip(batches[index].keys, batches[index].keys.indices), uniquingKeysWith: { first, _ in first })
            }
            guard let place = batches[index].places?[key] else { continue }
            let start = place - place % Self.rowsAtOnce
            return batches[index].keys[start...].prefix(Self.rowsAtOnce)
        }
        return []
    }

    mutating func removeAll() { batches = [] }
}

extension NSManagedObjectContext {
    /// Reads the rows of faults that have none, one statement a hierarchy and store; fires none.
    ///
    /// - Throws: the store's error.
    func readRows(of objects: [NSManagedObject]) throws {
        var groups: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        for object in objects where object.flags.contains(.fault) && object.slab == nil {
            guard object.registry === registry, origin.knows(object) else { continue }
            if let row = origin.knownRow(object.binding, key: object.key, maximumAge: stalenessInterval) {
                _ = object.adopt(row.slab, row.index)
            } else {
                groups[object.binding.table, default: (object.binding, [])].keys.append(object.key)
            }
        }
        for (binding, keys) in groups.values { try readRows(binding, keys) }
    }

    private func readRows(_ binding: EntityBinding, _ keys: [Int64]) throws {
        for row in try origin.rows(binding, keys: keys) {
            let table = localBinding(row.slab.binding).table
            guard let object = registry.object(table: table, key: row.key) else { continue }
            if object.isFault { _ = object.adopt(row.slab, row.index) }
        }
    }

    /// Reads the row of a fault that is about to fire, and with it those of the faults that came together with it.
    func readAhead(of object: NSManagedObject) throws {
        let table = object.binding.table
        let keys = faultBatches.neighbours(table: table, key: object.key)
        guard keys.count > 1 else { return }
        try readRows(of: keys.compactMap { registry.object(table: table, key: $0) })
    }
}
