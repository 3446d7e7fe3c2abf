import CoreData

extension OpenStore {
    /// Converts an object query to a query of the store. Logs the query's notes, each once.
    package func storeQuery(_ query: ObjectQuery, includesSubentities: Bool = true) throws -> FetchQuery {
        let name = query.entity.name ?? ""
        guard let layout = ModelLayout.of(coordinator.managedObjectModel).layout(named: name) else {
            throw InspectionError(.unknownEntity, subject: name, cause: "the model has no such entity")
        }
        for note in query.notes { CoreDataLogging.reportOnce(.warning, "\(note)") }
        return FetchQuery(
            binding: store.binding(for: layout), includesSubentities: includesSubentities, predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset)
    }
}
