import CoreDataStore

/// Which faults came together, so that with the first of them that fires its neighbours are read too.
///
/// Only faults without a row need it: members of relationships, objects fetched without their values, and those that a
/// fetch with a batch size gave. The last few lists are known by their keys; they keep no object and no row.
struct FaultBatches {
    /// How many rows one statement reads ahead: enough to be rare, few enough to read few rows that are not used.
    static let rowsAtOnce = 100
    private static let mostLists = 8

    /// What is read together with a fault.
    struct Neighbours {
        /// The fault itself among them; none for one that came alone.
        var addresses: [RowAddress] = []
        /// The relationships to be read with them.
        var prefetch: PrefetchPlan?
    }

    private struct Batch {
        let list: AddressList
        let size: Int
        let prefetch: PrefetchPlan?
        /// Made when an element of the list is first looked up.
        var index: AddressIndex?

        mutating func neighbours(table: Int, key: Int64) -> Neighbours? {
            let index = index ?? AddressIndex(list)
            self.index = index
            guard let place = index.place(table: table, key: key, in: list) else { return nil }
            let start = place - place % size
            return Neighbours(
                addresses: list.addresses(start..<start + min(size, list.count - start)), prefetch: prefetch)
        }
    }

    /// Lists that came about by the way, and those of fetches with a batch size: many of the former push out none of the
    /// latter.
    private var noted: [Batch] = []
    private var requested: [Batch] = []

    /// Notes rows whose objects were made together.
    mutating func note(_ addresses: AddressList) {
        guard addresses.count > 1 else { return }
        Self.add(Batch(list: addresses, size: Self.rowsAtOnce, prefetch: nil), to: &noted)
    }

    /// Notes the result of a fetch with a batch size, and what is to be prefetched for each batch.
    mutating func note(_ list: AddressList, size: Int, prefetch: PrefetchPlan?) {
        guard list.count > 0 else { return }
        Self.add(Batch(list: list, size: max(1, size), prefetch: prefetch), to: &requested)
    }

    private static func add(_ batch: Batch, to batches: inout [Batch]) {
        if batches.count == mostLists { batches.removeFirst() }
        batches.append(batch)
    }

    /// The records that came together with one, as many as are read at once; the latest list counts.
    mutating func neighbours(table: Int, key: Int64) -> Neighbours {
        for index in requested.indices.reversed() {
            if let found = requested[index].neighbours(table: table, key: key) { return found }
        }
        for index in noted.indices.reversed() {
            if let found = noted[index].neighbours(table: table, key: key) { return found }
        }
        return Neighbours()
    }

    mutating func removeAll() { self = FaultBatches() }
}
