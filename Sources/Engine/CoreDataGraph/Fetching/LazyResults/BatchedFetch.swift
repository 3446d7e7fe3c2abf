import CoreDataStore

/// Fetches that read the values of objects in batches.
extension FetchExecution {
    /// Whether the request has a batch size and returns faults, whose values are read later.
    ///
    /// A request for objects with values leaves nothing to be read in batches.
    var isBatched: Bool { request.fetchBatchSize > 0 && request.returnsObjectsAsFaults }

    /// The objects as faults without values; when one fires, the rows of its batch are read, with the relationships to
    /// prefetch.
    func batchedObjects(_ plan: PrefetchPlan?) throws -> [NSManagedObject] {
        let found = try foundList()
        let objects = (0..<found.list.count).map { found.unsaved[$0] ?? context.object(at: found.list[$0]) }
        context.faultBatches.note(found.list, size: request.fetchBatchSize, prefetch: plan)
        if request.shouldRefreshRefetchedObjects { try refresh(objects) }
        return objects
    }

    /// The addresses of the records found, and the objects among them that the context has changed.
    func foundList() throws -> FoundList { try foundList { HeldRecords([try $0.piece(limit: $1)]) } }

    /// Like `foundList()`, but reads rows, if they are needed for sorting, in pieces.
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

    /// Without sort descriptors, merging needs no values.
    private static func places(_ answerer: any FetchAnswering, _ limit: Int) throws -> any RecordSource {
        let list = try answerer.addresses(limit: limit, offset: 0)
        return HeldRecords([.records((0..<list.count).map { FoundRecord(list[$0]) })])
    }

    /// Refreshes the unchanged objects that already had values with those of the stores.
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

/// The result of a fetch as addresses.
struct FoundList {
    var list = AddressList()
    /// The objects that the context has changed, by their indices; other objects are made when they are needed.
    var unsaved: [Int: NSManagedObject] = [:]
}
