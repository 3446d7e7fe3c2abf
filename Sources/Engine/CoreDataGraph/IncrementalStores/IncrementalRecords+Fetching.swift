import CoreDataStore

extension IncrementalRecords: RowFetching {
    func fetch(_ query: FetchQuery) throws -> FetchedRows {
        try review(query)
        var list = AddressList()
        for identifier in try identifiers(query) {
            let binding = known[identifier.binding, identifier.key]?.binding ?? identifier.binding
            known.note(binding, key: identifier.key)
            list.append(identifier.key, of: binding)
        }
        return .addresses(list)
    }

    func count(_ query: FetchQuery) throws -> Int {
        try review(query)
        let answer = try answer(query, as: .countResultType)
        let numbers = Self.list(answer) ?? [answer]
        guard numbers.count == 1, let number = numbers[0] as? Int ?? (numbers[0] as? NSNumber)?.intValue else {
            throw StoreMistake.answer(
                to: "a request for a count", answer, of: store, wanted: "an array with one NSNumber")
        }
        return number
    }

    /// The identifiers of the records that the store class finds.
    func identifiers(_ query: FetchQuery) throws -> [NSManagedObjectID] {
        let isOfIdentifiers =
            !query.includesValues || (origin?.request as? UntypedFetchRequest)?.resultType == .managedObjectIDResultType
        let type: NSFetchRequestResultType = isOfIdentifiers ? .managedObjectIDResultType : .managedObjectResultType
        let entity = query.binding.layout.entity
        let answer = try answer(query, as: type)
        guard let list = Self.list(answer) else {
            throw StoreMistake.answer(
                to: "a fetch of '\(entity.name ?? "")'", answer, of: store, wanted: "an array")
        }
        return try list.map { element in
            guard let identifier = (element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID else {
                throw StoreMistake.answer(
                    to: "a fetch of '\(entity.name ?? "")'", element, of: store,
                    wanted: "the objects that context.object(with:) gives, or their identifiers")
            }
            try check(identifier, in: "as the result of a fetch", of: entity)
            return identifier
        }
    }

    /// Executes a query with the store class as a fetch request: a copy of the original request, with the query's
    /// settings.
    func answer(_ query: FetchQuery, as type: NSFetchRequestResultType) throws -> Any {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        (origin?.request as? UntypedFetchRequest)?.copyValues(to: request)
        if type != .dictionaryResultType {
            request.propertiesToGroupBy = nil
            request.havingPredicate = nil
            request.returnsDistinctResults = false
        }
        request.entity = query.binding.layout.entity
        request.predicate = query.predicate
        request.sortDescriptors = query.sortDescriptors
        request.fetchLimit = query.limit
        request.fetchOffset = query.offset
        request.includesSubentities = query.includesSubentities
        request.includesPropertyValues = query.includesValues
        request.resultType = type
        request.affectedStores = [store]
        return try asking { try store.execute(request, with: $0) }
    }

    /// Throws for predicates and sort descriptors that stores do not support, with the same error as other stores.
    func review(_ query: FetchQuery) throws {
        try checkKept(query.binding)
        let layout = query.binding.layout
        if let predicate = query.predicate { try PredicateReview.check(predicate, layout.entity) }
        for descriptor in query.sortDescriptors {
            if let rank = descriptor.sorting.rank {
                try SortReview.check(rank, layout.entity)
                continue
            }
            let path = try SortReview.path(of: descriptor.sorting, layout)
            try SortReview.checkSortable(path, by: descriptor.sorting, layout.entity)
        }
    }
}
