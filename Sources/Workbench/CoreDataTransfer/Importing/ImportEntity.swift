import CoreData

/// What an import needs to know of one entity, found out once.
final class ImportEntity {
    enum Property {
        case attribute(NSAttributeDescription)
        case relationship(NSRelationshipDescription)
        /// It is computed from others, or not stored.
        case made(String)
    }

    let description: NSEntityDescription
    let properties: [String: Property]
    /// The relationships that must have members.
    let demanding: [NSRelationshipDescription]
    /// How its new objects become rows; nil where they have to be objects first.
    let rows: ImportRowForm?
    /// The elements of its composite attributes.
    let elements: ImportElements
    /// The attributes in uniqueness constraints.
    let constrained: Set<String>
    /// The errors of keys that the entity does not have, as far as they have come.
    private var unknown: [String: InspectionError] = [:]
    private let matching: Result<[MatchScope], any Error>

    /// - Throws: `InspectionError` for an entity that has no objects.
    init(_ entity: NSEntityDescription, rule: MatchRule?, in store: OpenStore, model: ModelLayout) throws {
        guard !entity.isAbstract else {
            let below = store.entities.filter { $0 !== entity && !$0.isAbstract && $0.isKindOf(entity: entity) }
            let names = below.prefix(10).compactMap(\.name).joined(separator: ", ")
            throw InspectionError(
                .badValue, subject: entity.name ?? "", cause: "the entity is abstract, so it has no objects of its own",
                hint: names.isEmpty ? nil : "import objects of one of: \(names)")
        }
        description = entity
        properties = entity.propertiesByName.mapValues(Self.property)
        demanding = entity.relationshipsByName.values.filter {
            !$0.isTransient && ($0.isToMany ? $0.minCount > ($0.isOptional ? 1 : 0) : !$0.isOptional)
        }
        rows = model.layout(of: entity).flatMap { ImportRowForm($0, in: store) }
        elements = ImportElements(entity)
        constrained = Set(
            entity.allUniquenessConstraintNames.joined().compactMap { PropertyPath($0, in: entity)?.property.name })
        matching = Result { try rule.map { try MatchScope.scopes($0, of: entity) } ?? [] }
    }

    /// Where objects of the entity are looked for.
    ///
    /// - Throws: `InspectionError` where the rule of the import cannot match them.
    func scopes() throws -> [MatchScope] { try matching.get() }

    private static func property(_ property: NSPropertyDescription) -> Property {
        if property is NSFetchedPropertyDescription { return .made("a fetched one") }
        if property is NSDerivedAttributeDescription { return .made("derived") }
        if property.isTransient { return .made("not stored") }
        if let relationship = property as? NSRelationshipDescription { return .relationship(relationship) }
        if let attribute = property as? NSAttributeDescription { return .attribute(attribute) }
        return .made("of a kind that cannot be set")
    }

    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key.
    func property(_ key: String) throws -> Property {
        if let property = properties[key] { return property }
        if let known = unknown[key] { throw known }
        // Looking for the nearest key takes long, and a column of a table is there in every row.
        let error = unknownKey(key)
        if unknown.count < 100 { unknown[key] = error }
        throw error
    }

    /// The error for a key that is none, which names the nearest one: an element where it begins with a composite attribute.
    private func unknownKey(_ key: String) -> InspectionError {
        if key.contains(".") {
            do {
                _ = try KeyRoute(key, from: description)
            } catch let error as InspectionError {
                return error
            } catch {}
        }
        return KeyRoute.unknown(key, of: description, path: key)
    }

    var name: String { description.name ?? "" }

    /// The labels of relationships by name, as JSON.
    func text(_ links: [ImportRecord.Member]) throws -> String {
        let members = try links.compactMap { link -> (String, JSONValue)? in
            guard case .relationship(let relationship) = try property(link.key) else { return nil }
            return (link.key, .array(try link.value.labels(for: relationship).map { .string($0) }))
        }
        return JSONWriter.line(.object(members))
    }

    /// The first relationship of an object that lacks members which it must have.
    func lack(of object: NSManagedObject) -> NSRelationshipDescription? {
        demanding.first { relationship in
            let value = object.value(forKey: relationship.name)
            guard relationship.isToMany else { return value == nil }
            let count = (value as? NSOrderedSet)?.count ?? (value as? NSSet)?.count ?? 0
            return count < relationship.minCount && !(count == 0 && relationship.isOptional)
        }
    }
}

extension ImportRecord.Value {
    /// The value that it is for an attribute; nil for null.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    func value(for attribute: NSAttributeDescription) throws -> Any? {
        let kind = AttributeKind(attribute)
        return NSManagedObject.foundationValue(try held(for: attribute, kind), kind)
    }

    /// The same in the form in which an object keeps it; numbers may be beyond the range of the type.
    func held(for attribute: NSAttributeDescription, _ kind: AttributeKind) throws -> HeldValue {
        switch self {
        case .null: return .null
        case .elements(let elements):
            return try Self.dictionary(elements, of: attribute).map { .reference($0) } ?? .null
        case .json(let json): return try JSONValueParsing.held(json, for: attribute, kind)
        case .text(let text):
            switch kind {
            case .string, .undefined: return .reference(text)
            case .transformable: return try JSONValueParsing.held(.string(text), for: attribute, kind)
            case .composite:
                let values = try JSONReader.values(in: Array(text.utf8), of: attribute.name)
                return try JSONValueParsing.held(values.count == 1 ? values[0] : .null, for: attribute, kind)
            case .double, .float:
                if ["NaN", "Infinity", "-Infinity"].contains(text) {
                    return try JSONValueParsing.held(.string(text), for: attribute, kind)
                }
            default: break
            }
            if text != ValueParsing.null, let value = ValueParsing.held(text, kind) { return value }
            // A field may be nil as it is where one is typed, and is refused as there.
            return try ValueParsing.value(text, for: attribute).map { .reference($0) } ?? .null
        }
    }

    /// The dictionary that elements make of a composite attribute; what they do not name stays as it was.
    ///
    /// - Throws: `InspectionError` naming the element whose value is none of its type.
    static func dictionary(
        _ elements: [ImportRecord.Element], of attribute: NSAttributeDescription, over before: [String: Any] = [:]
    ) throws -> [String: Any]? {
        var values = before
        for element in elements {
            let end = element.path.reduce(attribute as NSAttributeDescription?) { outer, name in
                (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
            }
            guard let end else { continue }
            do {
                CompositeCoding.set(try element.value.value(for: end) ?? NSNull(), at: element.path[...], in: &values)
            } catch var error as InspectionError {
                if error.subject == end.name {
                    error.subject = ([attribute.name] + element.path).joined(separator: ".")
                }
                throw error
            }
        }
        values = CompositeCoding.compacted(values, of: attribute)
        return values.isEmpty && attribute.isOptional ? nil : values
    }

    /// The labels that it has for a relationship; none for null.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    func labels(for relationship: NSRelationshipDescription) throws -> [String] {
        let wrong = InspectionError(
            .badValue, subject: relationship.name,
            cause: relationship.isToMany ? "this is not a list of addresses" : "this is not an address",
            hint: relationship.isToMany ? "such as [\"Entity/p1\"]" : "a text such as \"Entity/p1\", or null")
        switch (self, relationship.isToMany) {
        case (.null, _): return []
        case (.text(let text), false), (.json(.string(let text)), false): return text.isEmpty ? [] : [text]
        case (.text(let text), true): return text.split(separator: " ").map(String.init)
        case (.json(.array(let elements)), true):
            return try elements.map { element in
                guard case .string(let text) = element else { throw wrong }
                return text
            }
        case (.json, _), (.elements, _): throw wrong
        }
    }
}
