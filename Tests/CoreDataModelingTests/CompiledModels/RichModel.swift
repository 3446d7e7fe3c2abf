import CoreDataModeling

/// A model made in code that says everything a compiled model can keep.
struct RichModel {
    let model = NSManagedObjectModel()
    let place = NSEntityDescription()
    let town = NSEntityDescription()

    init() {
        place.name = "Place"
        place.isAbstract = true
        place.userInfo = [
            "nested": ["list": ["a", "b"], "flag": NSNumber(value: true)] as [String: Any], "number": 3,
        ]
        place.versionHashModifier = "second"
        place.renamingIdentifier = "Location"
        town.name = "Town"
        town.managedObjectClassName = "Atlas.Town"
        place.properties = Self.attributes + [derived, composite]
        let towns = relationship("neighbours", ordered: true)
        towns.inverseRelationship = towns
        town.properties = [towns, fetched]
        place.subentities = [town]
        place.uniquenessConstraints = [["name"], ["code", "founded"]]
        place.indexes = indexes
        model.entities = [place]
        model.setEntities([town], forConfigurationName: "Urban")
        model.versionIdentifiers = ["1.1", "beta"]
        var template = FetchRequestTemplate(
            entityName: "Town",
            predicateFormat: "(name BEGINSWITH[cd] $START OR NOT (code IN {1, 2})) AND ANY neighbours.name LIKE \"B*\"")
        template.fetchLimit = 20
        template.fetchOffset = 5
        template.fetchBatchSize = 10
        template.returnsDistinctResults = true
        template.includesPendingChanges = false
        template.sortKeys = [.init(key: "name", ascending: false, selector: "caseInsensitiveCompare:")]
        model.templatesByName = ["byName": template, "all": FetchRequestTemplate(entityName: "Place")]
    }

    private static var attributes: [NSPropertyDescription] {
        let defaults: [(String, NSAttributeDescription.AttributeType, Any?)] = [
            ("name", .string, "$null"), ("code", .integer16, NSNumber(value: -7)), ("big", .integer64, Int64.max),
            ("area", .double, 2.25), ("height", .float, Float(0.5)), ("isOpen", .boolean, NSNumber(value: true)),
            ("price", .decimal, NSDecimalNumber(string: "-12345678901234567890.123456789")),
            ("founded", .date, Date(timeIntervalSinceReferenceDate: 86_400.25)),
            ("seal", .binaryData, Data([1, 2, 3])), ("page", .uri, URL(string: "https://example.org/a?b")),
            ("identifier", .uuid, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
            ("shape", .transformable, nil), ("scratch", .undefined, nil),
        ]
        return defaults.map { name, type, value in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.type = type
            attribute.defaultValue = value
            attribute.isOptional = name != "name"
            attribute.isTransient = name == "scratch"
            attribute.allowsExternalBinaryDataStorage = name == "seal"
            attribute.preservesValueInHistoryOnDeletion = name == "identifier"
            attribute.allowsCloudEncryption = name == "seal"
            attribute.isIndexedBySpotlight = name == "name"
            attribute.isStoredInExternalRecord = name == "name"
            attribute.renamingIdentifier = name == "name" ? "title" : nil
            attribute.valueTransformerName = name == "shape" ? "NSSecureUnarchiveFromData" : nil
            attribute.validationRules = rules[name] ?? []
            return attribute
        }
    }

    private static let rules: [String: [ValidationRule]] = [
        "name": [
            .init(.minimumLength(2)), .init(.maximumLength(40), warning: "Too long."), .init(.pattern("[A-Z].*")),
            .init(.predicate(format: "SELF CONTAINS[c] \"x\"")),
        ],
        "code": [.init(.minimum(-10)), .init(.maximum(10))],
        "price": [.init(.minimum(Decimal(string: "0.1") ?? 0))],
        "founded": [
            .init(.earliest(Date(timeIntervalSinceReferenceDate: -1000.5))),
            .init(.latest(Date(timeIntervalSinceReferenceDate: 1e9))),
        ],
    ]

    private var derived: NSDerivedAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        derived.name = "sortName"
        derived.type = .string
        derived.derivationText = "canonical:(name)"
        return derived
    }

    private var composite: NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = "position"
        composite.elements = ["latitude", "longitude"].map { name in
            let element = NSAttributeDescription()
            element.name = name
            element.type = .double
            element.defaultValue = 1.5
            return element
        }
        return composite
    }

    private func relationship(_ name: String, ordered: Bool) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = town
        relationship.minCount = 1
        relationship.maxCount = 9
        relationship.isOrdered = ordered
        relationship.deleteRule = .denyDeleteRule
        return relationship
    }

    private var fetched: NSFetchedPropertyDescription {
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "namesakes"
        fetched.fetchRequestTemplate = FetchRequestTemplate(
            entityName: "Town", predicateFormat: "name == $FETCH_SOURCE.name")
        return fetched
    }

    private var indexes: [NSFetchIndexDescription] {
        let byName = NSFetchIndexDescription(
            name: "byName",
            elements: [
                .init(propertyName: "name", collationType: .binary),
                .init(propertyName: "code", collationType: .binary),
            ])
        byName.elements[1].isAscending = false
        byName.partialIndexPredicate = NSPredicate(format: "isOpen == YES AND code > 3")
        let byArea = NSFetchIndexDescription(
            name: "byArea",
            elements: [
                .init(propertyName: "area", collationType: .rTree),
                .init(propertyName: "height", collationType: .rTree),
            ])
        return [byName, byArea]
    }
}
