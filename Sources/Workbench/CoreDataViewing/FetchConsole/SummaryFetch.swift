import CoreData

extension OpenStore {
    /// Executes a request of the fetch console.
    ///
    /// - Throws: `InspectionError` if the store cannot be read, or the request cannot be executed.
    package func summary(of question: SummaryRequest) throws -> ObjectSummary {
        try context.performAndWait { try namingFile { try context.summary(of: question, in: store) } }
    }
}

extension NSManagedObjectContext {
    /// Executes a request of the fetch console, by fetch requests that every type of store supports.
    ///
    /// - Parameter predicate: Replaces the request's own condition, such as one that also excludes hidden objects; nil
    ///   for the request's own.
    /// - Throws: Errors of the store, and `InspectionError` of code `badPredicate` for a condition that the store
    ///   cannot evaluate.
    package func summary(
        of question: SummaryRequest, with predicate: NSPredicate? = nil, in store: NSPersistentStore
    ) throws -> ObjectSummary {
        let fetch = SummaryFetch(question: question, predicate: predicate ?? question.query.predicate, store: store)
        return try InspectionError.namingQuestion {
            try question.isMerged ? fetch.merged(self) : fetch.direct(self)
        }
    }
}

/// The fetch requests of one request of the console.
struct SummaryFetch {
    /// The greatest number of the store's groups that are merged.
    static let mostGroups = 200_000

    let question: SummaryRequest
    let predicate: NSPredicate?
    let store: NSPersistentStore

    /// Fetches the requested groups; the store filters, sorts and limits them.
    func direct(_ context: NSManagedObjectContext) throws -> ObjectSummary {
        let request = request(aggregates: question.aggregates.map { $0.description(named: $0.name, $0.function) })
        if !question.keys.isEmpty {
            request.havingPredicate = question.having?.predicate
            request.sortDescriptors = question.order.map { NSSortDescriptor(key: $0.name, ascending: $0.isAscending) }
            request.fetchLimit = question.limit + 1
        }
        let lines = try context.fetch(request)
        let rows = lines.prefix(question.limit).map { line in
            question.keys.map { $0.reading(line[$0.name]) } + question.aggregates.map { $0.reading(line[$0.name]) }
        }
        return ObjectSummary(question, rows, isComplete: lines.count <= question.limit)
    }

    /// Fetches finer groups from the store, and merges them into the requested ones in memory.
    func merged(_ context: NSManagedObjectContext) throws -> ObjectSummary {
        var merging = SummaryMerging(question)
        var isComplete = true
        let parts = question.aggregates.flatMap(SummaryPart.parts)
        if !parts.isEmpty || question.aggregates.isEmpty {
            let request = request(aggregates: parts.map(\.description))
            request.fetchLimit = question.keys.isEmpty ? 0 : Self.mostGroups + 1
            let lines = try context.fetch(request)
            isComplete = lines.count <= Self.mostGroups
            for line in lines { merging.add(line, parts) }
        }
        for aggregate in question.aggregates {
            guard aggregate.function == .distinct, let route = aggregate.route else { continue }
            let request = request(
                aggregates: [], further: question.keys.contains { $0.name == route.text } ? [] : [route.text])
            request.fetchLimit = Self.mostGroups + 1
            let lines = try context.fetch(request)
            if lines.count > Self.mostGroups { isComplete = false }
            for line in lines { merging.add(line, different: aggregate.name, route.reading(ofValue: line[route.text])) }
        }
        let (rows, isAll) = try merging.rows()
        return ObjectSummary(question, rows, isComplete: isComplete && isAll)
    }

    private func request(
        aggregates: [NSExpressionDescription], further: [String] = []
    ) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: question.query.entity.name ?? "")
        request.affectedStores = [store]
        request.resultType = .dictionaryResultType
        request.predicate = predicate
        let keys = question.keys.map(\.property) + further
        if !keys.isEmpty { request.propertiesToGroupBy = keys }
        request.propertiesToFetch = keys + aggregates
        return request
    }
}
