import CoreData

/// How an imported object finds the one of the store that it is to become.
package enum MatchRule: Equatable, Sendable {
    /// By its address, if that is of this store.
    case identifier
    /// By the first uniqueness constraint of its entity of which it has all values.
    case constraint
    /// By the values of some attributes.
    case keys([String])

    /// Reads `id`, `constraint`, or names of attributes with commas.
    package init(_ text: String) throws {
        switch text {
        case "id": self = .identifier
        case "constraint": self = .constraint
        default:
            let keys = ObjectQuery.list(text)
            guard !keys.isEmpty else {
                throw InspectionError(
                    .unknownKey, subject: "match", cause: "no key is named",
                    hint: "give id, constraint, or names of attributes")
            }
            self = .keys(keys)
        }
    }
}

/// Attributes whose values together distinguish the objects of an entity.
package struct MatchScope: Hashable {
    /// The topmost entity that has all the attributes: objects of its subentities are searched too.
    package let entity: NSEntityDescription
    package let attributes: [NSAttributeDescription]

    /// The scopes in which objects of an entity are looked for, the first of which an object has all values is taken.
    ///
    /// If `isLenient`, an entity without a constraint does not get a scope.
    /// - Throws: `InspectionError` of code `unknownKey` for a rule that cannot distinguish objects.
    package static func scopes(
        _ rule: MatchRule, of entity: NSEntityDescription, isLenient: Bool = false
    ) throws -> [MatchScope] {
        switch rule {
        case .identifier: return []
        case .keys(let keys): return [try MatchScope(keys, of: entity)]
        case .constraint:
            let constraints = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints)
            let scopes = constraints.compactMap { constraint in
                try? MatchScope(constraint.compactMap(Self.name), of: entity)
            }
            guard !scopes.isEmpty || isLenient else {
                throw InspectionError(
                    .unknownKey, subject: entity.name ?? "",
                    cause: "the entity has no uniqueness constraint of attributes",
                    hint: "match by names of attributes, or by id")
            }
            return scopes
        }
    }

    private static func name(_ part: Any) -> String? {
        part as? String ?? (part as? NSPropertyDescription)?.name
    }

    init(_ keys: [String], of entity: NSEntityDescription) throws {
        attributes = try keys.map { key in
            guard let attribute = entity.attributesByName[key] else {
                throw KeyRoute.unknown(key, of: entity, path: key)
            }
            guard !attribute.isTransient, ![.transformable, .composite].contains(AttributeKind(attribute)) else {
                throw InspectionError(
                    .unknownKey, subject: key,
                    cause: "an attribute that is transient or of this type cannot identify objects")
            }
            return attribute
        }
        var top = entity
        while let above = top.superentity, keys.allSatisfy({ above.attributesByName[$0] != nil }) { top = above }
        self.entity = top
    }

    /// Values in the form in which they are compared; nil where one of them is.
    package func text(_ value: (NSAttributeDescription) throws -> Any?) rethrows -> String? {
        var texts: [String] = []
        for attribute in attributes {
            let json = ValueCoding.json(try value(attribute), AttributeKind(attribute))
            if case .null = json { return nil }
            texts.append(JSONWriter.line(json))
        }
        return texts.count == 1 ? texts[0] : texts.joined(separator: "\u{0}")
    }
}
