import CoreData

extension ModelVersion {
    /// The checksum, and the hash of every entity by name: `{"checksum", "entities": {name: base64}}`.
    package var hashReport: JSONValue {
        let hashes = model.entityVersionHashesByName.mapValues { JSONValue.string($0.base64EncodedString()) }
        return .object([("checksum", .string(model.versionChecksum)), ("entities", .sorted(hashes))])
    }

    /// A complete report of the model; the entities are in the order of their numbers.
    package var report: JSONValue {
        let configurations = model.configurations.filter { $0 != NSManagedObjectModel.defaultConfigurationName }
        return .object([
            ("name", .string(name)), ("isCurrent", .bool(isCurrent)), ("checksum", .string(model.versionChecksum)),
            ("versionIdentifiers", model.versionIdentifierReport),
            ("entities", .array(NSManagedObjectModel.numbered(model.entities).map(\.report))),
            (
                "configurations",
                .sorted(
                    Dictionary(
                        configurations.map { ($0, names(ofConfiguration: $0)) }, uniquingKeysWith: { first, _ in first }
                    ))
            ),
            ("fetchRequests", .sorted(model.templatesByName.mapValues(\.report))),
            ("notes", .array(sourceNotes.map(\.report))),
        ])
    }

    /// The parts of the version's source that are not understood; empty for a compiled model.
    package var sourceNotes: [SourceNote] {
        guard let document = try? ModelDocument(at: url), let (_, notes) = try? document.makeModel() else { return [] }
        return notes
    }

    private func names(ofConfiguration configuration: String) -> JSONValue {
        let entities = model.entities(forConfigurationName: configuration) ?? []
        return .array(entities.compactMap(\.name).sorted().map { .string($0) })
    }
}

extension NSManagedObjectModel {
    /// The version identifiers as texts, sorted.
    package var versionIdentifierReport: JSONValue {
        .array(versionIdentifiers.map { "\($0.base)" }.sorted().map { .string($0) })
    }
}

extension SourceNote {
    fileprivate var report: JSONValue {
        .object([("line", .count(place.line)), ("column", .count(place.column)), ("text", .string(text))])
    }
}

extension FetchRequestTemplate {
    fileprivate var report: JSONValue {
        .object([
            ("entity", .text(entityName)), ("predicate", .text(predicateFormat)), ("limit", .count(fetchLimit)),
            ("sort", .array(sortKeys.map { .string(($0.ascending ? "" : "-") + $0.key) })),
        ])
    }
}

extension NSEntityDescription {
    fileprivate var report: JSONValue {
        let own = ownProperties.sorted { $0.name < $1.name }
        return .object([
            ("name", .text(name)), ("superentity", .text(superentity?.name)), ("abstract", .bool(isAbstract)),
            ("class", .text(managedObjectClassName)), ("codeGeneration", .text(codeGenerationType)),
            ("syncable", .bool(isSyncable)), ("hash", .string(versionHash.base64EncodedString())),
            ("renamingIdentifier", .text(declaredRenamingIdentifier)), ("hashModifier", .text(versionHashModifier)),
            ("attributes", .array(own.compactMap { ($0 as? NSAttributeDescription)?.report })),
            ("relationships", .array(own.compactMap { ($0 as? NSRelationshipDescription)?.report })),
            ("fetchedProperties", .array(own.compactMap { ($0 as? NSFetchedPropertyDescription)?.report })),
            ("indexes", .array(indexes.map(\.report))),
            ("uniquenessConstraints", .array(uniquenessConstraintNames.map { .array($0.map { .string($0) }) })),
            ("userInfo", userInfoReport(userInfo)),
        ])
    }
}

extension NSAttributeDescription {
    fileprivate var report: JSONValue {
        let kind = AttributeKind(self)
        let isDefaultShown = defaultValue != nil && kind != .transformable
        return .object(
            [
                ("name", .string(name)), ("type", .string(attributeType.text)), ("optional", .bool(isOptional)),
                ("transient", .bool(isTransient)),
                ("default", isDefaultShown ? ValueCoding.json(defaultValue, kind) : .null),
                ("derivation", .text((self as? NSDerivedAttributeDescription)?.derivationText)),
                ("transformer", .text(valueTransformerName)), ("valueClass", .text(declaredValueClassName)),
                ("externalStorage", .bool(allowsExternalBinaryDataStorage)),
                ("keptInHistory", .bool(preservesValueInHistoryOnDeletion)),
                ("cloudEncryption", .bool(allowsCloudEncryption)),
                ("scalar", usesScalarValueType.map { .bool($0) } ?? .null),
                ("composite", .text((self as? NSCompositeAttributeDescription)?.compositeName)),
                ("elements", elementsReport),
                ("indexed", .bool(isIndexed)), ("spotlight", .bool(isIndexedBySpotlight)),
                ("syncable", .bool(isSyncable)),
                ("rules", .array(validationRules.map { .string($0.text) })),
                ("renamingIdentifier", .text(declaredRenamingIdentifier)),
                ("hashModifier", .text(versionHashModifier)), ("userInfo", userInfoReport(userInfo)),
            ])
    }
}

extension NSAttributeDescription {
    /// The elements of a composite; null for any other attribute.
    private var elementsReport: JSONValue {
        guard let composite = self as? NSCompositeAttributeDescription else { return .null }
        return .array(composite.elements.map(\.report))
    }
}

extension NSRelationshipDescription {
    fileprivate var report: JSONValue {
        .object([
            ("name", .string(name)), ("destination", .text(destinationEntity?.name)),
            ("inverse", .text(inverseRelationship?.name)), ("toMany", .bool(isToMany)), ("ordered", .bool(isOrdered)),
            ("optional", .bool(isOptional)), ("transient", .bool(isTransient)), ("minCount", .count(minCount)),
            ("maxCount", .count(maxCount)), ("deleteRule", .string(deleteRule.text)), ("syncable", .bool(isSyncable)),
            ("renamingIdentifier", .text(declaredRenamingIdentifier)), ("hashModifier", .text(versionHashModifier)),
            ("userInfo", userInfoReport(userInfo)),
        ])
    }
}

extension NSFetchedPropertyDescription {
    fileprivate var report: JSONValue {
        .object([
            ("name", .string(name)), ("entity", .text(fetchRequestTemplate?.entityName)),
            ("predicate", .text(fetchRequestTemplate?.predicateFormat)),
        ])
    }
}

extension NSFetchIndexDescription {
    fileprivate var report: JSONValue {
        return .object([
            ("name", .string(name)), ("elements", .array(elements.map { .string($0.text) })),
            ("predicate", .text(partialIndexPredicateFormat)),
        ])
    }
}

extension NSFetchIndexElementDescription {
    /// The indexed property or expression, with `-` before it if it is descending, and a remark after it if it is
    /// spatial.
    package var text: String {
        let kind = collationType == .rTree ? " (R-tree)" : ""
        return (isAscending ? "" : "-") + (expressionText ?? propertyName ?? "?") + kind
    }
}

private func userInfoReport(_ userInfo: [AnyHashable: Any]?) -> JSONValue {
    let members = (userInfo ?? [:]).map { ("\($0.key.base)", JSONValue.string("\($0.value)")) }
    return .sorted(Dictionary(members, uniquingKeysWith: { first, _ in first }))
}
