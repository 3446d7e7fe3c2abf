import CoreData

/// The numbers of objects of each entity in a store, and the problems found while counting.
struct StoreCounts {
    private(set) var counts: [String: (own: Int, family: Int)] = [:]
    private(set) var problems: [String]
    private(set) var failures: [InspectionError] = []

    /// Counts the objects of a store with its model: in the tables of `raw` if it is not nil, else by fetches.
    ///
    /// - Throws: `InspectionError` if the model does not match the store, or the store cannot be opened.
    static func of(_ facts: StoreFacts, model: StoreModel, raw: RawStore?) throws -> StoreCounts {
        try raw.map { try StoreCounts(facts, model: model, raw: $0) } ?? StoreCounts(OpenStore(facts, model: model))
    }

    private init(_ facts: StoreFacts, model: StoreModel, raw: RawStore) throws {
        if let mismatch = model.mismatch { throw mismatch }
        do {
            let survey = try raw.survey(
                model.model, configuration: model.configuration, ignoresVersions: !model.differences.isEmpty)
            counts = survey.counts.mapValues { ($0.own, $0.family) }
            problems = model.problems + survey.problems
            failures = survey.failures.map { InspectionError.unreadable(facts.url, $0) }
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }

    private init(_ store: OpenStore) {
        problems = store.problems
        for entity in store.entities where store.keeps(entity) {
            do {
                let family = try store.count(of: entity, includesSubentities: true)
                let own = entity.isAbstract ? 0 : try store.count(of: entity, includesSubentities: false)
                counts[entity.name ?? ""] = (own, family)
            } catch {
                failures.append(InspectionError.unreadable(store.facts.url, error))
            }
        }
    }
}

extension OpenStore {
    /// Whether the entity is one of the configuration that the store was opened with.
    fileprivate func keeps(_ entity: NSEntityDescription) -> Bool {
        guard let configuration = model.configuration else { return true }
        let entities = coordinator.managedObjectModel.entities(forConfigurationName: configuration) ?? []
        return entities.contains { $0.name == entity.name }
    }

    /// The number of objects of an entity.
    fileprivate func count(of entity: NSEntityDescription, includesSubentities: Bool) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = includesSubentities
        return try context.performAndWait { try namingFile { try context.count(for: request) } }
    }
}
