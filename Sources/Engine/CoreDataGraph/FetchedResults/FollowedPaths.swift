import CoreDataStore

/// The key paths from a list's records to related objects whose changes may add, remove, move or update records in the
/// list.
struct FollowedPaths {
    /// The entity at the end of each path of relationships.
    private(set) var ends: [String: NSEntityDescription] = [:]
    /// The paths with a to-many relationship.
    private(set) var manyfold: Set<String> = []
    /// Whether the predicate depends on objects that its key paths do not show.
    private(set) var dependsOnAll = false
    private let root: NSEntityDescription
    private var variables: [String: String] = [:]
    /// How many levels of computed keys are followed.
    private static let deepest = 8

    init(_ request: UntypedFetchRequest, from entity: NSEntityDescription, sectionKeyPath: String?) {
        root = entity
        if let sectionKeyPath { add(sectionKeyPath) }
        for descriptor in request.sortDescriptors ?? [] {
            let sorting = descriptor.sorting
            for key in sorting.rank?.keyPaths ?? [sorting.key].compactMap({ $0 }) { add(key) }
        }
        request.predicate.map { visit(PredicateNode($0)) }
    }

    /// The followed paths that end at the entity of an object.
    func paths(to entity: NSEntityDescription) -> [String] {
        ends.filter { entity.isKindOf(entity: $0.value) }.map(\.key).sorted()
    }

    private mutating func add(_ path: String) {
        var entities: [(NSEntityDescription, String)] = [(root, "")]
        add(path.split(separator: ".").map(String.init)[...], &entities, depth: 0)
    }

    private mutating func add(
        _ steps: ArraySlice<String>, _ open: inout [(NSEntityDescription, String)], depth: Int
    ) {
        guard var (entity, prefix) = open.popLast() else { return }
        for (number, step) in steps.enumerated() where !step.hasPrefix("@") {
            guard let relationship = Self.relationship(step, of: entity) else {
                let rest = steps.dropFirst(number + 1)
                return addDependencies(of: step, rest, place: (entity, prefix), depth: depth)
            }
            guard let destination = relationship.destinationEntity else { return }
            let longer = prefix.isEmpty ? step : prefix + "." + step
            if relationship.isToMany || manyfold.contains(prefix) { manyfold.insert(longer) }
            ends[longer] = destination
            (entity, prefix) = (destination, longer)
        }
    }

    /// Adds the key paths on which a key that is not a relationship depends, according to the class of the entity's
    /// objects.
    private mutating func addDependencies(
        of key: String, _ rest: ArraySlice<String>, place: (entity: NSEntityDescription, prefix: String), depth: Int
    ) {
        guard depth < Self.deepest, let layout = EntityLayout.of(place.entity) else { return }
        for path in layout.objectClass.keyPathsForValuesAffectingValue(forKey: key) {
            var open: [(NSEntityDescription, String)] = [(place.entity, place.prefix)]
            add(path.split(separator: ".").map(String.init) + rest, &open, depth: depth + 1)
        }
    }

    /// The relationship with a name of an entity or of one of its sub-entities.
    private static func relationship(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription? {
        if let property = entity.propertiesByName[name] { return property as? NSRelationshipDescription }
        return entity.subentities.lazy.compactMap { relationship(name, of: $0) }.first
    }

    // MARK: Predicates

    private mutating func visit(_ node: PredicateNode) {
        switch node {
        case .constant: break
        case .and(let parts), .or(let parts): for part in parts { visit(part) }
        case .not(let part): visit(part)
        case .comparison(let comparison):
            visit(comparison.leftExpression)
            visit(comparison.rightExpression)
        case .opaque: dependsOnAll = true
        }
    }

    private mutating func visit(_ expression: NSExpression) {
        switch expression.form {
        case .constant, .evaluatedObject, .variable, .anyKey: break
        case .keyPath(nil, let path): add(path)
        case .keyPath(let operand?, let path):
            if let prefix = prefix(of: operand) {
                add(prefix.isEmpty ? path : prefix + "." + path)
            } else {
                visit(operand)
            }
        case .function(_, let parts), .aggregate(let parts): for part in parts { visit(part) }
        case .set(_, let left, let right):
            visit(left)
            visit(right)
        case .assignment(_, let value): visit(value)
        case .fetch, .block, .call: dependsOnAll = true
        case .subquery(let collection, let name, let predicate):
            visit(collection)
            let former = variables[name]
            variables[name] = prefix(of: collection)
            visit(PredicateNode(predicate))
            variables[name] = former
        case .conditional(let condition, let whenTrue, let whenFalse):
            visit(PredicateNode(condition))
            visit(whenTrue)
            visit(whenFalse)
        }
    }

    /// The key path from the record that an expression follows; nil if the expression is not a key path.
    private func prefix(of expression: NSExpression) -> String? {
        switch expression.form {
        case .evaluatedObject: ""
        case .variable(let name): variables[name]
        case .keyPath(nil, let path): path
        case .keyPath(let operand?, let path): prefix(of: operand).map { $0.isEmpty ? path : $0 + "." + path }
        default: nil
        }
    }
}
