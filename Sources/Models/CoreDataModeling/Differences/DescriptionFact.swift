import CoreDataFoundation

/// One setting of a description as a text, which is the same for equal settings.
struct DescriptionFact {
    let name: String
    /// Nil if the model does not have the setting.
    let value: String?
    var isHashed = false
    var isOfSource = false

    init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    init(_ name: String, _ flag: Bool) { self.init(name, flag ? "yes" : "no") }

    /// A setting that is part of the version hash.
    static func hashed(_ name: String, _ value: String?) -> DescriptionFact {
        var fact = DescriptionFact(name, value)
        fact.isHashed = true
        return fact
    }

    static func hashed(_ name: String, _ flag: Bool) -> DescriptionFact { hashed(name, flag ? "yes" : "no") }

    /// A setting that only sources have.
    static func source(_ name: String, _ value: String?) -> DescriptionFact {
        var fact = DescriptionFact(name, value)
        fact.isOfSource = true
        return fact
    }

    /// The settings that differ; both lists must have the same names in the same order.
    static func differences(_ old: [DescriptionFact], _ new: [DescriptionFact]) -> [ModelAspect] {
        zip(old, new).filter { $0.value != $1.value }.map {
            ModelAspect(
                name: $0.name, old: $0.value, new: $1.value, isHashed: $0.isHashed || $1.isHashed,
                isOfSource: $0.isOfSource)
        }
    }
}

extension NSManagedObjectModel {
    var facts: [DescriptionFact] {
        let identifiers = versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
        return [
            DescriptionFact("version identifiers", FactText.list(identifiers)),
            DescriptionFact("localization", FactText.pairs(localizationDictionary)),
            .source("notes", FactText.list(notes)),
        ]
    }
}

extension NSEntityDescription {
    var facts: [DescriptionFact] {
        [
            .hashed("parent", superentity?.name), .hashed("abstract", isAbstract),
            DescriptionFact("class", managedObjectClassName),
            .hashed("hash modifier", FactText.text(versionHashModifier)),
            DescriptionFact(
                "renaming identifier", declaredRenamingIdentifier == name ? nil : declaredRenamingIdentifier),
            DescriptionFact("user info", FactText.pairs(userInfo)),
            DescriptionFact("compound indexes", FactText.list(ownCompoundIndexes)),
            .source("class generation", codeGenerationType), .source("syncable", isSyncable ? "yes" : "no"),
            .source("display name", coreSpotlightDisplayNameExpression?.formatString),
            .source("notes", FactText.list(notes)),
        ]
    }
}

extension NSEntityDescription {
    /// The compound indexes without those that repeat a fetch index, which compiled models have for older readers.
    private var ownCompoundIndexes: [String] {
        let repeated = Set(indexes.map { $0.elements.compactMap(\.propertyName) })
        return compoundIndexNames.filter { !repeated.contains($0) }.map { $0.joined(separator: ", ") }
    }
}

extension NSPropertyDescription {
    /// All settings of the property except its name; which settings these are depends on its kind.
    final var facts: [DescriptionFact] {
        let common: [DescriptionFact] = [
            .hashed("optional", isOptional), .hashed("transient", isTransient),
            .hashed("hash modifier", FactText.text(versionHashModifier)),
            DescriptionFact(
                "renaming identifier", declaredRenamingIdentifier == name ? nil : declaredRenamingIdentifier),
            DescriptionFact("rules", FactText.list(validationRules.map { FactText.rule($0) })),
            DescriptionFact("user info", FactText.pairs(userInfo)), .source("indexed", isIndexed ? "yes" : "no"),
            .source("in Spotlight", isIndexedBySpotlight ? "yes" : "no"),
            .source("in the external record", isStoredInExternalRecord ? "yes" : "no"),
            .source("syncable", isSyncable ? "yes" : "no"), .source("notes", FactText.list(notes)),
        ]
        switch self {
        case let attribute as NSAttributeDescription: return attribute.ownFacts + common
        case let relationship as NSRelationshipDescription: return relationship.ownFacts + common
        case let fetched as NSFetchedPropertyDescription:
            return [DescriptionFact("fetch", fetched.fetchRequestTemplate.map(FactText.fetch))] + common
        default: return common
        }
    }
}

extension NSAttributeDescription {
    fileprivate final var ownFacts: [DescriptionFact] {
        let composite = self as? NSCompositeAttributeDescription
        return [
            .hashed("type", attributeType.text), DescriptionFact("default", FactText.value(defaultValue)),
            .hashed(
                "derivation", (self as? NSDerivedAttributeDescription)?.derivationText.map(DerivationText.canonical)),
            .hashed("external storage", allowsExternalBinaryDataStorage),
            .hashed("kept in history", preservesValueInHistoryOnDeletion),
            DescriptionFact("transformer", FactText.text(valueTransformerName)),
            DescriptionFact(
                "value class", declaredValueClassName == attributeType.valueClassName ? nil : declaredValueClassName),
            .hashed("elements", composite.map { FactText.elements(of: $0) }),
            .source("composite", composite?.compositeName),
            .source("cloud encryption", allowsCloudEncryption ? "yes" : "no"),
            .source("scalar", usesScalarValueType == true ? "yes" : "no"),
        ]
    }
}

extension NSRelationshipDescription {
    fileprivate final var ownFacts: [DescriptionFact] {
        [
            .hashed("destination", destinationEntity?.name), .hashed("inverse", inverseRelationship?.name),
            .hashed("at least", "\(minCount)"), .hashed("at most", maxCount == 0 ? "no limit" : "\(maxCount)"),
            .hashed("ordered", isOrdered), DescriptionFact("delete rule", deleteRule.text),
        ]
    }
}

extension NSFetchIndexDescription {
    final var facts: [DescriptionFact] {
        let elements = elements.map { element in
            let kind = element.collationType == .rTree ? " (R-tree)" : ""
            return (element.isAscending ? "" : "-") + (element.expressionText ?? element.propertyName ?? "?") + kind
        }
        return [
            DescriptionFact("elements", FactText.list(elements)),
            DescriptionFact("predicate", FactText.predicate(partialIndexPredicateFormat)),
        ]
    }
}
