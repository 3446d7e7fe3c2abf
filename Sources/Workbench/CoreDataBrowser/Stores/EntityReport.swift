import CoreData
import CoreDataLocalization

extension NSEntityDescription {
    /// The description of an entity, with inherited properties, for forms, columns, predicate builders and completion.
    package var browserReport: JSONValue {
        let attributes = attributesByName.values.sorted { $0.name < $1.name }
        let relationships = relationshipsByName.values.sorted { $0.name < $1.name }
        let fetched = propertiesByName.values.compactMap { $0 as? NSFetchedPropertyDescription }
        let indexed = indexedKeys
        return .object(
            [
                ("name", .text(name)), ("superentity", .text(superentity?.name)), ("abstract", .bool(isAbstract)),
                ("subentities", .array(subentities.compactMap(\.name).sorted().map { .string($0) })),
                ("labelKey", .text(labelKey)),
                ("coordinates", .array(CoordinatePair.pairs(of: self).map(\.json))),
                ("attributes", .array(attributes.map { $0.browserReport(indexed: indexed, path: $0.name) })),
                ("relationships", .array(relationships.map(\.browserReport))),
                ("fetched", .array(fetched.sorted { $0.name < $1.name }.map(\.browserReport))),
                (
                    "constraints",
                    .array(lineage.flatMap(\.uniquenessConstraintNames).map { .array($0.map { .string($0) }) })
                ),
            ] + [("title", ownTitle)].present)
    }

    /// The name for users that the model's `localizationDictionary` has; nil without one.
    private var ownTitle: String? {
        let title = managedObjectModel?.localizedName(of: self)
        return title == name ? nil : title
    }

    /// The attributes that are the first element of an index or a uniqueness constraint, or are marked as indexed.
    private var indexedKeys: Set<String> {
        let first = lineage.flatMap(\.indexes).compactMap { $0.elements.first?.propertyName }
        let marked = attributesByName.values.filter(\.isIndexed).map(\.name)
        return Set(first + marked + lineage.flatMap(\.uniquenessConstraintNames).compactMap(\.first))
    }
}

extension NSPropertyDescription {
    /// The name for users that the model's `localizationDictionary` has; nil without one.
    fileprivate var ownTitle: String? {
        let title = entity?.managedObjectModel?.localizedName(of: self, in: entity)
        return title == name ? nil : title
    }
}

extension NSAttributeDescription {
    fileprivate func browserReport(indexed: Set<String>, path: String) -> JSONValue {
        let kind = AttributeKind(self)
        let rules = AttributeBounds(validationRules, kind)
        let isDefaultShown = defaultValue != nil && kind != .transformable
        return .object(
            [
                ("name", .string(name)), ("type", .string("\(kind)")), ("optional", .bool(isOptional)),
                ("transient", .bool(isTransient)), ("derived", .bool(isDerived)),
                ("default", isDefaultShown ? ValueCoding.json(defaultValue, kind) : .null),
                ("readOnly", .bool(isDerived || isTransient)),
                ("min", rules.least), ("max", rules.greatest), ("minLength", rules.leastLength),
                ("maxLength", rules.greatestLength), ("regex", rules.pattern),
                ("elements", elementReports(indexed: indexed, path: path)),
                ("indexed", .bool(indexed.contains(path))), ("external", .bool(allowsExternalBinaryDataStorage)),
            ] + [("title", ownTitle), ("style", userInfo?[ValueStyle.userInfoKey] as? String)].present)
    }

    private var isDerived: Bool { self is NSDerivedAttributeDescription }

    private func elementReports(indexed: Set<String>, path: String) -> JSONValue {
        guard let composite = self as? NSCompositeAttributeDescription else { return .array([]) }
        return .array(composite.elements.map { $0.browserReport(indexed: indexed, path: "\(path).\($0.name)") })
    }
}

extension NSRelationshipDescription {
    fileprivate var browserReport: JSONValue {
        .object(
            [
                ("name", .string(name)), ("destination", .text(destinationEntity?.name)), ("toMany", .bool(isToMany)),
                ("ordered", .bool(isOrdered)), ("optional", .bool(isOptional)), ("minCount", .count(minCount)),
                ("maxCount", .count(maxCount)), ("inverse", .text(inverseRelationship?.name)),
                ("deleteRule", .string(deleteRuleName)), ("transient", .bool(isTransient)),
            ] + [("title", ownTitle)].present)
    }

    private var deleteRuleName: String {
        switch deleteRule {
        case .noActionDeleteRule: "noAction"
        case .nullifyDeleteRule: "nullify"
        case .cascadeDeleteRule: "cascade"
        case .denyDeleteRule: "deny"
        }
    }
}

extension NSFetchedPropertyDescription {
    fileprivate var browserReport: JSONValue {
        .object([
            ("name", .string(name)), ("destination", .text(fetchRequestTemplate?.entityName)),
            ("predicate", .text(fetchRequestTemplate?.predicateFormat)),
        ])
    }
}

extension [(String, String?)] {
    /// The members that have a text; most properties have neither a title nor a style.
    fileprivate var present: [(String, JSONValue)] { compactMap { key, text in text.map { (key, .string($0)) } } }
}
