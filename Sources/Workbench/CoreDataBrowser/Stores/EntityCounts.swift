import CoreData

/// The numbers of objects of a store's entities, for those that were counted in time.
package struct EntityCounts: Sendable {
    private var own: [String: Int] = [:]
    private let entities: [Entity]
    /// Why entities could not be counted.
    private(set) var problems: [String] = []

    private struct Entity: Sendable {
        let name: String
        let isAbstract: Bool
        /// The entity and its subentities, direct and indirect.
        let family: [String]
    }

    init(of entities: [NSEntityDescription]) {
        self.entities = entities.map { entity in
            Entity(
                name: entity.name ?? "", isAbstract: entity.isAbstract,
                family: entities.filter { $0.lineage.contains { $0 === entity } }.compactMap(\.name))
        }
    }

    /// Counts the objects of each entity until a deadline; if an entity cannot be counted, adds a problem.
    ///
    /// - Throws: `CancellationError` if the call was cancelled.
    mutating func count(with reading: StoreReading, until deadline: ContinuousClock.Instant) throws {
        for entity in entities {
            guard !entity.isAbstract else {
                own[entity.name] = 0
                continue
            }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.affectedStores = [reading.opened.store]
            request.includesSubentities = false
            do {
                let found = try ReadCancellation.limited(to: deadline - .now) {
                    try reading.context.count(for: request)
                }
                guard let found else { return }
                own[entity.name] = found
            } catch let error as CancellationError {
                throw error
            } catch {
                problems.append("\(entity.name): \(ErrorText.line(for: error))")
            }
        }
    }

    /// `{"counts": {name: {"own", "all"}}, "complete", "problems"}`; a number that is not known is null.
    package var json: JSONValue {
        let counts = entities.map { entity in
            let family = entity.family.map { own[$0] }
            let all = family.contains { $0 == nil } ? nil : family.compactMap(\.self).reduce(0, +)
            return (entity.name, JSONValue.object([("own", .count(own[entity.name])), ("all", .count(all))]))
        }
        return .object([
            ("counts", .object(counts)), ("complete", .bool(own.count == entities.count)),
            ("problems", .array(problems.map { .string($0) })),
        ])
    }
}
