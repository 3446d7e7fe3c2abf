import CoreDataStore

/// The records that one store or the parent found, read in pieces. Used by one thread at a time.
protocol RecordSource: AnyObject {
    /// The next records, at most `count`; empty at the end.
    func next(_ count: Int) throws -> RecordPiece
    /// Makes a running call of `next` that waits for a store throw; may be called from any thread.
    func interrupt()
}

/// Records that have been read already.
final class HeldRecords: RecordSource {
    private var pieces: ArraySlice<RecordPiece>

    init(_ pieces: [RecordPiece]) { self.pieces = pieces.filter { $0.count > 0 }[...] }

    func next(_ count: Int) -> RecordPiece {
        guard let first = pieces.popFirst() else { return .records([]) }
        guard first.count > count else { return first }
        let (head, rest) = first.split(count)
        pieces = [rest] + pieces
        return head
    }

    func interrupt() {}
}

extension RecordPiece {
    /// The first `count` records, and the others.
    fileprivate func split(_ count: Int) -> (RecordPiece, RecordPiece) {
        switch self {
        case .records(let records):
            return (.records(Array(records.prefix(count))), .records(Array(records.dropFirst(count))))
        case .rows(let runs):
            var (head, rest): ([RowRun], [RowRun]) = ([], [])
            var wanted = count
            for run in runs {
                let middle = run.range.lowerBound + min(wanted, run.range.count)
                wanted -= middle - run.range.lowerBound
                if middle > run.range.lowerBound {
                    head.append(RowRun(slab: run.slab, range: run.range.lowerBound..<middle))
                }
                if middle < run.range.upperBound {
                    rest.append(RowRun(slab: run.slab, range: middle..<run.range.upperBound))
                }
            }
            return (.rows(head), .rows(rest))
        }
    }
}
