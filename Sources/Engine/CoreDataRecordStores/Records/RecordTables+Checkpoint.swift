import CoreDataStore

extension RecordTables {
    /// The records as they are at one moment, to which the tables can return.
    ///
    /// Holds the slabs, which are never changed, and no copies of rows.
    package struct Checkpoint {
        fileprivate let runs: [[RowRun]]
        fileprivate let indexes: [LinkLists]
        fileprivate let links: [LinkTable]
        fileprivate let constraints: [UniqueIndex]
    }

    package func checkpoint() -> Checkpoint {
        Checkpoint(runs: pools.map(\.runs), indexes: indexes, links: links, constraints: constraints)
    }

    /// Makes the records what they were at a checkpoint; keys that were given out since then stay so.
    package func restore(_ checkpoint: Checkpoint) {
        _ = takeMadeSlabs()
        for root in roots { root.places.removeAll() }
        for pool in pools { pool.removeAll() }
        for runs in checkpoint.runs { place(runs) }
        indexes = checkpoint.indexes
        links = checkpoint.links
        constraints = checkpoint.constraints
    }

    /// Makes rows the ones that count for their keys.
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
