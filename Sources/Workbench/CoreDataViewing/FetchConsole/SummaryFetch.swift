import CoreData

extension OpenStore {
    /// Carries a question of the fetch console out.
    ///
    /// - Throws: `InspectionError` where the store cannot answer.
    package func summary(of question: SummaryRequest) throws -> ObjectSummary {
        try context.performAndWait { try namingFile { try context.summary(of: question, in: store) } }
    }
}

extension NSManagedObjectContext {
    /// Carries a question of the fetch console out, by requests that any store answers.
    ///
    /// - Parameter predicate: What is asked with the question's own condition, for what may not be shown.
    /// - Throws: what the store throws, and `InspectionError` of code `badPredicate` for a condition that it cannot carry out.
    package func summary(
        of question: SummaryRequest, with predicate: NSPredicate? = nil, in store: NSPersistentStore
    ) throws -> ObjectSummary {
        let fetch = SummaryFetch(question: question, predicate: predicate ?? question.query.predicate, store: store)
        return try InspectionError.namingQuestion {
            try question.isMerged ? fetch.merged(self) : fetch.direct(self)
        }
    }
}

/// The requests of one question.
struct SummaryFetch {
    /// How many groups of the store are put together at most.
    static let mostGroups = 200_000

    let question: SummaryRequest
    let predicate: NSPredicate?
    let store: NSPersistentStore

    /// A request for groups; the store sorts, chooses and counts them.
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

    /// Merges groups of the store into the requested ones.
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
