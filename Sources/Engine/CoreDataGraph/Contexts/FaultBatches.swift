import CoreDataStore

/// Which faults were made together: when the first of them fires, the context reads the rows of its neighbours too.
///
/// Concerns only faults without a row: members of relationships, objects fetched without their values, and results of a
/// fetch with a batch size. Has the keys of the last few lists of such faults and retains no object and no row.
struct FaultBatches {
    /// How many rows one statement reads ahead: enough for few statements, without reading many rows that are never
    /// used.
    static let rowsAtOnce = 100
    private static let mostLists = 8

    /// The records to read together with a fault.
    struct Neighbours {
        /// The addresses, including that of the fault itself; empty for a fault that was made alone.
        var addresses: [RowAddress] = []
        /// The relationships to prefetch for them.
        var prefetch: PrefetchPlan?
    }

    private struct Batch {
        let list: AddressList
        let size: Int
        let prefetch: PrefetchPlan?
        /// Built when an element of the list is first looked up.
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

    /// `noted` has lists of faults made by other means, `requested` those of fetches with a batch size. Each has its
    /// own limit, so many of the former do not displace the latter.
    private var noted: [Batch] = []
    private var requested: [Batch] = []

    /// Records rows whose objects were made together.
    mutating func note(_ addresses: AddressList) {
        guard addresses.count > 1 else { return }
        Self.add(Batch(list: addresses, size: Self.rowsAtOnce, prefetch: nil), to: &noted)
    }

    /// Records the result of a fetch with a batch size, and what to prefetch with each batch.
    mutating func note(_ list: AddressList, size: Int, prefetch: PrefetchPlan?) {
        guard list.count > 0 else { return }
        Self.add(Batch(list: list, size: max(1, size), prefetch: prefetch), to: &requested)
    }

    private static func add(_ batch: Batch, to batches: inout [Batch]) {
        if batches.count == mostLists { batches.removeFirst() }
        batches.append(batch)
    }

    /// The records to read together with one: its batch in the latest list that has it; fetches with a batch size come
    /// first.
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
