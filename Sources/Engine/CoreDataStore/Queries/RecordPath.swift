import CoreDataModeling

/// The target of a key path, determined from the model before any row is read; only targets that stores can read.
package enum RecordPath {
    case record(NSEntityDescription)
    case attribute(NSAttributeDescription)
    /// The members of a to-many relationship of an entity, or a value of each member.
    case collection(NSRelationshipDescription, of: NSEntityDescription)
    /// A value that the model does not describe: the result of an operator, an entity, or a property of a transformable
    /// value.
    case value

    private static let operators = ["@count", "@sum", "@avg", "@min", "@max"]
    /// The operators whose result is a list of values.
    private static let lists = ["@unionOfObjects", "@distinctUnionOfObjects"]

    /// Finds the target of a key path that starts at an entity.
    ///
    /// - Throws: `NSCoreDataError` if a step is not a property of its entity, or is a property that is not stored.
    package init(_ path: String, from start: NSEntityDescription) throws {
        let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self = try Self.end(of: steps[...], from: start, owner: nil)
    }

    private static func end(
        of path: ArraySlice<String>, from start: NSEntityDescription,
        owner: (relationship: NSRelationshipDescription, entity: NSEntityDescription)?
    ) throws -> RecordPath {
        var entity = start
        var steps = path
        while let step = steps.popFirst() {
            if ["self", "SELF", "objectID"].contains(step) { continue }
            if step.hasPrefix("@"), let owner { return try calculation(step, rest: steps, of: owner, start: start) }
            guard let property = entity.propertiesByName[step] else {
                if step == "entity", steps.isEmpty || steps == ["name"] { return .value }
                if let subentity = SubentityStep.entity(step, from: entity) {
                    entity = subentity
                    continue
                }
                throw QueryRefusal.unknownKey(step, of: entity)
            }
            try requireStored(property, entity)
            switch property {
            case let attribute as NSAttributeDescription:
                try checkRest(of: attribute, steps, entity, isElement: owner != nil)
                if let owner { return try collection(owner, from: start, steps) }
                return steps.isEmpty || isComposite(attribute, steps) ? .attribute(attribute) : .value
            case let relationship as NSRelationshipDescription:
                guard let destination = relationship.destinationEntity else { return .value }
                if relationship.isToMany {
                    return try end(of: steps, from: destination, owner: (relationship, entity))
                }
                entity = destination
            default: return .value
            }
        }
        if let owner { return .collection(owner.relationship, of: owner.entity) }
        return .record(entity)
    }

    private static func collection(
        _ owner: (relationship: NSRelationshipDescription, entity: NSEntityDescription),
        from start: NSEntityDescription,
        _ rest: ArraySlice<String>
    ) throws -> RecordPath {
        if let sign = rest.first, sign.hasPrefix("@") {
            return try calculation(sign, rest: rest.dropFirst(), of: owner, start: start)
        }
        return .collection(owner.relationship, of: owner.entity)
    }

    private static func calculation(
        _ sign: String, rest: ArraySlice<String>,
        of owner: (relationship: NSRelationshipDescription, entity: NSEntityDescription), start: NSEntityDescription
    ) throws -> RecordPath {
        if lists.contains(sign), !rest.contains(where: { $0.hasPrefix("@") }) {
            if !rest.isEmpty { _ = try end(of: rest, from: start, owner: owner) }
            return .collection(owner.relationship, of: owner.entity)
        }
        guard operators.contains(sign), sign != "@count" || rest.isEmpty else {
            throw QueryRefusal.make(
                owner.entity, key: ([sign] + rest).joined(separator: "."),
                reason: "the operator \(sign) cannot be asked of a store",
                suggestion: NameSuggestion(for: sign, in: operators))
        }
        if !rest.isEmpty { _ = try end(of: rest, from: start, owner: owner) }
        return .value
    }

    private static func requireStored(_ property: NSPropertyDescription, _ entity: NSEntityDescription) throws {
        if property is NSFetchedPropertyDescription {
            throw QueryRefusal.make(entity, key: property.name, reason: "a fetched property cannot be asked of a store")
        }
        guard property.isTransient else { return }
        throw QueryRefusal.make(
            entity, key: property.name,
            reason: "a transient property is not stored; filter or sort the fetched objects by it")
    }

    /// Checks the rest of a path after an attribute. Allowed are: the elements of a composite attribute, the length of
    /// a text, any properties of a transformable value, and an operator if the path follows a to-many relationship.
    private static func checkRest(
        of attribute: NSAttributeDescription, _ rest: ArraySlice<String>, _ entity: NSEntityDescription, isElement: Bool
    ) throws {
        guard attribute.attributeType != .transformableAttributeType else { return }
        let leaves = CompositeCoding.leaves(of: attribute)
        // The path ends at a composite or a nested composite, which may only be compared with nil.
        if isComposite(attribute, rest) { return }
        let leaf = leaves.first { rest.starts(with: $0.path) }
        var beyond = rest.dropFirst(leaf?.path.count ?? 0).filter { $0 != "self" && $0 != "SELF" }
        if isElement, let sign = beyond.first, sign.hasPrefix("@") { beyond = [] }
        if let leaf, beyond.isEmpty || beyond == ["length"] && leaf.attribute.attributeType == .stringAttributeType {
            return
        }
        throw QueryRefusal.make(
            entity, key: ([attribute.name] + rest).joined(separator: "."),
            reason: "the value of an attribute has no properties")
    }

    /// The composite attribute or nested composite at which a path ends, also if the path follows to-many
    /// relationships: its entity, its key path in the entity, and the key path of one of its elements. Nil if the path
    /// ends elsewhere.
    package static func composite(
        _ path: String, from start: NSEntityDescription
    ) -> (entity: NSEntityDescription, key: String, element: String)? {
        var entity = start
        var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        while let step = steps.popFirst() {
            if ["self", "SELF"].contains(step) || lists.contains(step) { continue }
            switch entity.propertiesByName[step] {
            case let attribute as NSAttributeDescription where isComposite(attribute, steps):
                let names = steps.filter { $0 != "self" && $0 != "SELF" }
                let leaf = CompositeCoding.leaves(of: attribute).first { $0.path.starts(with: names) }
                return (
                    entity, ([step] + names).joined(separator: "."),
                    ([step] + (leaf?.path ?? [])).joined(separator: ".")
                )
            case let relationship as NSRelationshipDescription:
                guard let destination = relationship.destinationEntity else { return nil }
                entity = destination
            default: return nil
            }
        }
        return nil
    }

    /// Whether a path from a composite attribute ends at the composite itself or at a nested composite, not at an
    /// element.
    private static func isComposite(_ attribute: NSAttributeDescription, _ rest: ArraySlice<String>) -> Bool {
        guard attribute.attributeType == .compositeAttributeType else { return false }
        let names = rest.filter { $0 != "self" && $0 != "SELF" }
        return CompositeCoding.leaves(of: attribute).contains {
            $0.path.count > names.count && $0.path.starts(with: names)
        }
    }
}
