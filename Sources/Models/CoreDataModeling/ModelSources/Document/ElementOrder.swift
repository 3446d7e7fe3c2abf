/// The order in which Xcode writes elements and attributes.
package enum ElementOrder {
    /// The attributes of each element in Xcode's order.
    ///
    /// Source: the order of attributes that occur together in the sources of the fixtures; attributes that never occur
    /// together there are in the order of the editor's inspector.
    package static let attributes: [String: [String]] = [
        "model": ModelHeader.names,
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "coreSpotlightDisplayNameExpression", "syncable", "codeGenerationType",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "composite", "derived", "derivationExpression",
            "minDateTimeInterval", "minValueString", "maxDateTimeInterval", "maxValueString",
            "defaultDateTimeInterval", "defaultValueString", "regularExpressionString", "usesScalarValueType",
            "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage", "preserveAfterDeletion",
            "allowsCloudEncryption", "spotlightIndexingEnabled", "storedInTruthFile", "indexed", "elementID",
            "versionHashModifier", "syncable",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity", "spotlightIndexingEnabled", "storedInTruthFile",
            "indexed", "elementID", "versionHashModifier", "syncable",
        ],
        "fetchedProperty": [
            "name", "optional", "spotlightIndexingEnabled", "storedInTruthFile", "elementID", "versionHashModifier",
            "syncable",
        ],
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities",
            "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
            "resultType",
        ],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
        "entry": ["key", "value"],
        "element": ["name", "positionX", "positionY", "width", "height"],
    ]

    /// The elements in each element in Xcode's order.
    package static let elements: [String: [String]] = [
        "model": ["entity", "fetchRequest", "configuration", "composite", "elements"],
        "entity": [
            "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex", "uniquenessConstraints",
            "userInfo",
        ],
        "fetchedProperty": ["fetchRequest", "userInfo"],
    ]

    /// The kinds of element that Xcode sorts by name.
    private static let sortedKinds: Set<String> = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "configuration", "composite",
        "memberEntity", "element", "entry",
    ]

    private static let ranks = attributes.mapValues { names in
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    /// The position of an attribute among those of its element; unknown ones are last.
    package static func rank(of attribute: String, in element: String) -> Int { ranks[element]?[attribute] ?? .max }

    static func sorted(_ list: [ModelAttribute], of element: String) -> [ModelAttribute] {
        list.enumerated().sorted {
            (rank(of: $0.element.name, in: element), $0.offset) < (rank(of: $1.element.name, in: element), $1.offset)
        }.map(\.element)
    }

    /// The index of the existing element before which an added one is inserted; nil for the end.
    static func place(for added: ModelElement, among present: [ModelElement], in parent: String) -> Int? {
        let kinds = elements[parent] ?? []
        let rank = kinds.firstIndex(of: added.name) ?? kinds.count
        return present.firstIndex { other in
            let otherRank = kinds.firstIndex(of: other.name) ?? kinds.count
            guard otherRank == rank, other.name == added.name else { return otherRank > rank }
            guard sortedKinds.contains(added.name), let name = added.key, let otherName = other.key else {
                return false
            }
            return name < otherName
        }
    }
}

extension ModelElement {
    /// The attribute that distinguishes the element from others of its kind: its name, key, value or property.
    package var key: String? { self["name"] ?? self["key"] ?? self["value"] ?? self["property"] }
}
