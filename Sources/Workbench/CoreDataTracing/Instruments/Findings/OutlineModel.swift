import CoreData

/// A managed object model rebuilt from the description in a trace, to find the index that a fetch lacks.
struct OutlineModel {
    private let model = NSManagedObjectModel()
    private let note: TraceModel
    /// The most entities that are rebuilt, since a damaged file may list any number.
    private static let mostEntities = 5_000

    init(_ note: TraceModel) {
        self.note = note
        var entities: [String: NSEntityDescription] = [:]
        for element in note.entities.values.prefix(Self.mostEntities) {
            let entity = NSEntityDescription()
            entity.name = element.name
            entities[element.name] = entity
        }
        for (name, entity) in entities {
            // Each entity declares inherited properties itself: the model has no superentities, which may be damaged.
            var properties: [String: NSPropertyDescription] = [:]
            for element in note.line(of: name) {
                for attribute in element.attributes where properties[attribute.name] == nil {
                    let made = NSAttributeDescription()
                    made.name = attribute.name
                    made.attributeType = NSAttributeType(rawValue: attribute.type) ?? .stringAttributeType
                    made.isTransient = attribute.isTransient
                    properties[attribute.name] = made
                }
                for relationship in element.relationships where properties[relationship.name] == nil {
                    let made = NSRelationshipDescription()
                    made.name = relationship.name
                    made.destinationEntity = entities[relationship.destination]
                    made.maxCount = relationship.isToMany ? 0 : 1
                    properties[relationship.name] = made
                }
            }
            entity.properties = Array(properties.values)
        }
        model.entities = Array(entities.values)
    }

    /// The index that a fetch lacks; nil if no index would serve the fetch, or the model already has one that should.
    func candidate(_ name: String, outline: String, shape: FetchShape, isCount: Bool) -> IndexCandidate? {
        guard let entity = model.entitiesByName[name] else { return nil }
        let predicate = outline.isEmpty ? nil : try? NSPredicate(parsing: outline)
        let demands = predicate.map { Self.demands(PredicateNode($0)) } ?? []
        // Without a condition, an index for the sort order helps only if a fetch limit leaves rows out.
        let order = isCount || demands.isEmpty && shape.limit == 0 ? [] : shape.sort
        let sort = order.map { $0.hasSuffix("-") ? "-" + $0.dropLast() : $0 }.joined(separator: ",")
        guard var query = try? ObjectQuery(entity, sort: sort) else { return nil }
        if demands.isEmpty {
            guard outline.isEmpty, !order.isEmpty else { return nil }
        } else {
            query.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: demands)
        }
        let candidates = IndexCandidateSearch.all(for: query)
        guard let best = candidates.first else { return nil }
        let leads = Set(candidates.compactMap { $0.entity == best.entity ? $0.elements.first?.property : nil })
        let isThere = note.line(of: best.entity).flatMap(\.indexes).contains { keys in
            keys.first.map { leads.contains($0) } ?? false
        }
        return isThere ? nil : best
    }

    /// The comparisons that every fetched row must satisfy and that an index could serve.
    private static func demands(_ node: PredicateNode) -> [NSPredicate] {
        switch node {
        case .and(let parts): parts.flatMap(demands)
        case .comparison(let comparison) where isServed(comparison): [comparison]
        default: []
        }
    }

    private static func isServed(_ comparison: NSComparisonPredicate) -> Bool {
        guard comparison.options.isEmpty, comparison.comparisonPredicateModifier == .direct else { return false }
        switch comparison.predicateOperatorType {
        case .equalTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .beginsWith, .in:
            return isPath(comparison.leftExpression) != isPath(comparison.rightExpression)
        default: return false
        }
    }

    /// Whether an expression is an attribute or to-one relationship of the fetched object itself, or behind such ones.
    private static func isPath(_ expression: NSExpression) -> Bool {
        guard case .keyPath(let operand, _) = expression.form else { return false }
        guard let operand else { return true }
        if case .evaluatedObject = operand.form { return true }
        return false
    }
}
