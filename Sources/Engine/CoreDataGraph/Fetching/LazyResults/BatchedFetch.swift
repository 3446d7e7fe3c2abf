import CoreDataStore

/// Fetches whose objects' values are read a batch at a time.
extension FetchExecution {
    /// Whether the values are to be read when they are needed.
    ///
    /// Objects that are to come with their values, or never read them by themselves, leave nothing to be read later.
    var isBatched: Bool { request.fetchBatchSize > 0 && request.returnsObjectsAsFaults }

    /// The objects as faults without values; touching one reads those of its batch, with what is to be prefetched.
    func batchedObjects(_ plan: PrefetchPlan?) throws -> [NSManagedObject] {
        let found = try foundList()
        let objects = (0..<found.list.count).map { found.unsaved[$0] ?? context.object(at: found.list[$0]) }
        context.faultBatches.note(found.list, size: request.fetchBatchSize, prefetch: plan)
        if request.shouldRefreshRefetchedObjects { try refresh(objects) }
        return objects
    }

    /// The places of the records found, and the objects of those that the context has changed.
    func foundList() throws -> FoundList { try foundList { HeldRecords([try $0.piece(limit: $1)]) } }

    /// The same with few rows at once, where rows must be read at all.
    func foundListOfMany() throws -> FoundList {
        try foundList { try $0.source(limit: $1, offset: 0, for: RunningSources()) }
    }

    private func foundList(
        _ source: (any FetchAnswering, Int) throws -> any RecordSource
    ) throws -> FoundList {
        let changes = try pendingChanges()
        let answerers = try context.fetchDataSource.answerers(of: self)
        guard needsMerging(changes, answerers) else {
            let list = try answerers[0].addresses(limit: request.fetchLimit, offset: request.fetchOffset)
            return FoundList(list: list)
        }
        let stream = try merged(changes, answerers: answerers, source: sortsNothing ? Self.places : source)
        var found = FoundList()
        while case let piece = try stream.next(RecordStream.recordsAtOnce), piece.count > 0 {
            piece.visit(in: context) { record in
                if let object = record.object, object.hasChanges { found.unsaved[found.list.count] = object }
                found.list.append(record.address)
            }
        }
        return found
    }

    private var sortsNothing: Bool { request.sortDescriptors?.isEmpty ?? true }

    /// Without an order no value is needed to put records together.
    private static func places(_ answerer: any FetchAnswering, _ limit: Int) throws -> any RecordSource {
        let list = try answerer.addresses(limit: limit, offset: 0)
        return HeldRecords([.records((0..<list.count).map { FoundRecord(list[$0]) })])
    }

    /// Gives objects that the context had with their values already those that the stores have.
    private func refresh(_ objects: [NSManagedObject]) throws {
        let maker = RowMaterializer(context: context, request: request)
        let groups = Dictionary(grouping: objects.filter { !$0.isFault && !$0.hasChanges }) { $0.binding.table }
        for group in groups.values {
            for row in try context.dataSource.rows(group[0].binding, keys: group.map(\.key)) {
                let address = RowAddress(binding: context.localBinding(row.slab.binding), key: row.key)
                _ = maker.object(at: address, row: row)
            }
        }
    }
}

/// What a fetch found, as places.
struct FoundList {
    var list = AddressList()
    /// The objects that the context has changed, by their places; others are made when they are needed.
    var unsaved: [Int: NSManagedObject] = [:]
}
