import CoreDataStore

/// Orders the rows of several slabs.
package enum RowOrder {
    /// Sorts the rows of runs by key. If the runs do not overlap, only the runs are sorted and no row is moved.
    package static func byKey(_ runs: [RowRun]) -> [RowRun] {
        let ordered = runs.sorted { $0.slab.key($0.range.lowerBound) < $1.slab.key($1.range.lowerBound) }
        guard !isAscending(ordered) else { return ordered }
        var rows: [(key: Int64, run: Int32, index: Int32)] = []
        rows.reserveCapacity(runs.reduce(0) { $0 + $1.range.count })
        for (number, run) in runs.enumerated() {
            for index in run.range { rows.append((run.slab.key(index), Int32(number), Int32(index))) }
        }
        rows.sort { $0.key < $1.key }
        return self.runs(rows.lazy.map { RowSnapshot(slab: runs[Int($0.run)].slab, index: Int($0.index)) })
    }

    /// Joins consecutive rows of the same slab to runs; the order of the rows is unchanged.
    package static func runs(_ rows: some Sequence<RowSnapshot>) -> [RowRun] {
        var runs: [RowRun] = []
        var slab: RowSlab?
        var range = 0..<0
        for row in rows {
            if row.slab === slab, row.index == range.upperBound {
                range = range.lowerBound..<row.index + 1
                continue
            }
            if let slab { runs.append(RowRun(slab: slab, range: range)) }
            slab = row.slab
            range = row.index..<row.index + 1
        }
        if let slab { runs.append(RowRun(slab: slab, range: range)) }
        return runs
    }

    private static func isAscending(_ runs: [RowRun]) -> Bool {
        var last: Int64?
        for run in runs {
            for index in run.range {
                let key = run.slab.key(index)
                if let last, last >= key { return false }
                last = key
            }
        }
        return true
    }
}
