import CoreDataModeling

/// The formula of a derived attribute, resolved with the properties of its entity: what is computed, and along which
/// relationships.
package struct DerivationFormula {
    /// The expression to compute; nil if the value is the time of the save.
    package let expression: NSExpression?
    /// The to-many relationship whose members are counted or aggregated; nil for other formulas.
    package let collection: NSRelationshipDescription?
    /// The to-one relationships on the path to the attribute.
    package let path: [NSRelationshipDescription]
    /// The attribute at the end of the path; nil for counts and times.
    package let attribute: String?

    /// Whether the value depends only on the row that has the derived attribute.
    package var comesFromOwnRow: Bool { expression != nil && collection == nil && path.isEmpty }

    /// Nil if the derivation is not supported, or refers to a property that is not stored.
    package init?(of derived: NSDerivedAttributeDescription, in entity: NSEntityDescription) {
        switch derived.derivation {
        case .now: self.init(nil)
        case .count(let name):
            guard let collection = Self.collection(name, of: entity) else { return nil }
            self.init(Self.value(at: "\(name).@count"), collection: collection)
        case .aggregate(let aggregate, let name, let attribute):
            guard let collection = Self.collection(name, of: entity),
                Self.isStored(attribute, in: collection.destinationEntity)
            else { return nil }
            let expression = Self.value(at: "\(name).\(aggregate.rawValue).\(attribute)")
            self.init(expression, collection: collection, attribute: attribute)
        case .copy(let path):
            guard let relationships = Self.relationships(path, from: entity) else { return nil }
            self.init(Self.value(at: path), path: relationships, attribute: path.last)
        case .function(let name, let path):
            guard let function = ExpressionFunction(rawValue: name + ":"),
                let relationships = Self.relationships(path, from: entity)
            else { return nil }
            let expression = NSExpression(.function(function, arguments: [Self.value(at: path)]))
            self.init(expression, path: relationships, attribute: path.last)
        case .other, nil: return nil
        }
    }

    private init(
        _ expression: NSExpression?, collection: NSRelationshipDescription? = nil,
        path: [NSRelationshipDescription] = [], attribute: String? = nil
    ) {
        self.expression = expression
        self.collection = collection
        self.path = path
        self.attribute = attribute
    }

    private static func value(at path: [String]) -> NSExpression { value(at: path.joined(separator: ".")) }

    private static func value(at path: String) -> NSExpression {
        NSExpression(.keyPath(operand: nil, path: path))
    }

    private static func collection(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription? {
        guard let relationship = entity.relationshipsByName[name], relationship.isToMany, !relationship.isTransient
        else { return nil }
        return relationship
    }

    /// The to-one relationships on a path to an attribute; nil for any other path.
    private static func relationships(
        _ path: [String], from start: NSEntityDescription
    ) -> [NSRelationshipDescription]? {
        var entity = start
        var relationships: [NSRelationshipDescription] = []
        for name in path.dropLast() {
            guard let relationship = entity.relationshipsByName[name], !relationship.isToMany,
                !relationship.isTransient, let destination = relationship.destinationEntity
            else { return nil }
            relationships.append(relationship)
            entity = destination
        }
        guard let last = path.last, isStored(last, in: entity) else { return nil }
        return relationships
    }

    private static func isStored(_ name: String, in entity: NSEntityDescription?) -> Bool {
        entity?.attributesByName[name].map { !$0.isTransient } ?? false
    }
}
