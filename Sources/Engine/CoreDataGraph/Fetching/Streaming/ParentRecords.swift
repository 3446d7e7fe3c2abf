import CoreDataStore

/// The records that a parent context finds, as rows. May be used from any thread; reads on the parent's queue.
final class ParentRecords: RecordSource, @unchecked Sendable {
    private let parent: NSManagedObjectContext
    private let request: UntypedFetchRequest
    /// Made on the parent's queue, and used there except for `interrupt`.
    private var stream: RecordStream?
    private let running = RunningSources()

    init(of parent: NSManagedObjectContext, _ request: UntypedFetchRequest) {
        self.parent = parent
        self.request = request
    }

    func next(_ count: Int) throws -> RecordPiece {
        try parent.queue.ask { Result(catching: { try read(count) }) }.get()
    }

    func interrupt() { running.interrupt() }

    private func read(_ count: Int) throws -> RecordPiece {
        let stream = try stream ?? begin()
        self.stream = stream
        while case let piece = try stream.next(count), piece.count > 0 {
            let present = try present(piece)
            if present.count > 0 { return present }
        }
        return .records([])
    }

    private func begin() throws -> RecordStream {
        let execution = try FetchExecution(request, in: parent)
        let stream = try execution.stream(
            execution.pendingChanges(), parent.fetchDataSource.answerers(of: execution), for: running)
        running.add(stream)
        return stream
    }

    /// The records with the parent's values; with those of the rows if the parent has no object, or an unchanged fault.
    private func present(_ piece: RecordPiece) throws -> RecordPiece {
        if case .rows(let runs) = piece, !runs.contains(where: isKnown) { return piece }
        var records: [FoundRecord] = []
        try piece.visit(in: parent) { record in
            let address = record.address
            guard let own = record.object ?? parent.registry.object(table: address.binding.table, key: address.key),
                !own.isFault || own.hasChanges
            else { return records.append(FoundRecord(address, row: record.row)) }
            // Objects that were deleted in the parent since the reading began are left out.
            guard let row = try own.presentRow() else { return }
            records.append(FoundRecord(RowAddress(binding: own.binding, key: own.key), row: row))
        }
        return .records(records)
    }

    private func isKnown(_ run: RowRun) -> Bool {
        parent.registry.objects(table: run.slab.binding.table, run: run).contains { $0 != nil }
    }
}
