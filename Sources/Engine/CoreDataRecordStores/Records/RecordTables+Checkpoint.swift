import CoreDataStore

extension RecordTables {
    /// The state of the tables at one moment, to which they can be restored.
    ///
    /// Retains the slabs, whose rows are not changed in place, instead of copying rows.
    package struct Checkpoint {
        fileprivate let runs: [[RowRun]]
        fileprivate let indexes: [LinkLists]
        fileprivate let links: [LinkTable]
        fileprivate let constraints: [UniqueIndex]
    }

    package func checkpoint() -> Checkpoint {
        Checkpoint(runs: pools.map(\.runs), indexes: indexes, links: links, constraints: constraints)
    }

    /// Restores the records to a checkpoint; keys that were given out since then are not given out again.
    package func restore(_ checkpoint: Checkpoint) {
        _ = takeMadeSlabs()
        for root in roots { root.places.removeAll() }
        for pool in pools { pool.removeAll() }
        for runs in checkpoint.runs { place(runs) }
        indexes = checkpoint.indexes
        links = checkpoint.links
        constraints = checkpoint.constraints
    }

    /// Adds rows to the pools, and makes each the current row of its key.
    func place(_ runs: [RowRun]) {
        var numbers: [ObjectIdentifier: Int] = [:]
        for run in runs {
            let layout = run.slab.layout
            let pool = pools[layout.number]
            let number = numbers[ObjectIdentifier(run.slab)] ?? pool.add(run.slab)
            numbers[ObjectIdentifier(run.slab)] = number
            roots[layout.root].places.reserve(run.range.count)
            for index in run.range {
                pool.setLive(number, index)
                roots[layout.root].places.set(
                    SlabPosition(entity: Int32(layout.number), slab: Int32(number), index: Int32(index)),
                    for: run.slab.key(index))
            }
        }
    }
}
