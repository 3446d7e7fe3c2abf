import CoreDataStore

/// The relationships to prefetch for the objects of a fetch request, in the order of reading.
///
/// Key paths with a common beginning share steps, so each relationship of a step is read once.
struct PrefetchPlan {
    struct Step {
        let relationship: NSRelationshipDescription
        /// The step whose objects have the relationship; nil for the fetched objects themselves.
        let parent: Int?
    }

    /// Every step comes after its parent.
    private(set) var steps: [Step] = []
    private var known: [Place: Int] = [:]

    private struct Place: Hashable {
        let parent: Int?
        let name: String
    }

    /// - Throws: `NSCoreDataError` for a key path with a component that is not a relationship.
    init(_ keyPaths: [String], of entity: NSEntityDescription) throws {
        for path in keyPaths { try add(path, entity) }
    }

    private mutating func add(_ path: String, _ entity: NSEntityDescription) throws {
        var parent: Int?
        var entity = entity
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let name = String(part)
            guard let relationship = entity.relationshipsByName[name] else {
                throw Self.noRelationship(name, of: entity, in: path)
            }
            let place = Place(parent: parent, name: name)
            let step = known[place] ?? steps.count
            if step == steps.count {
                known[place] = step
                steps.append(Step(relationship: relationship, parent: parent))
            }
            parent = step
            entity = relationship.destinationEntity ?? entity
        }
    }

    private static func noRelationship(_ name: String, of entity: NSEntityDescription, in path: String) -> NSError {
        let near = NameSuggestion(for: name, in: Array(entity.relationshipsByName.keys))
        return CoreDataError.make(
            NSCoreDataError,
            "The key path '\(path)' cannot be prefetched: entity '\(entity.name ?? "")' has no relationship '\(name)'.",
            hint: near?.sentence)
    }
}
