import CoreData

/// How many objects of each entity a store has, and what is not as it should be in it.
struct StoreCounts {
    private(set) var counts: [String: (own: Int, family: Int)] = [:]
    private(set) var problems: [String]
    private(set) var failures: [InspectionError] = []

    /// Looks at a store with its model: at the tables of one that is given, or else at its objects.
    ///
    /// - Throws: `InspectionError` where the model is not that of the store, or the store cannot be opened.
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
