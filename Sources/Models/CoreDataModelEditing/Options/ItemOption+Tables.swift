extension SourceItemKind {
    /// What can be set of items of the kind, in the order in which it is set where several are set at once.
    package var options: [ItemOption] {
        switch self {
        case .model: ItemOption.ofModel
        case .entity: ItemOption.ofEntity
        case .attribute: ItemOption.ofAttribute
        case .relationship: ItemOption.ofRelationship
        case .fetchedProperty: ItemOption.ofFetchedProperty
        case .fetchRequest: ItemOption.ofFetch(handling: .plain)
        case .index: ItemOption.ofIndex
        case .configuration: ItemOption.ofConfiguration
        case .userInfo: [ItemOption("value", "value", .text, "The text under the key.")]
        case .constraint, .member, .composite: []
        }
    }
}

extension ItemOption {
    fileprivate static let ofModel = [
        ItemOption("identifier", "userDefinedModelVersionIdentifier", .text, "The version's identifier."),
        ItemOption(
            "language", "sourceLanguage",
            .choice([.init(word: "Objective-C", raw: "Objective-C"), .init(word: "Swift", raw: "Swift")]),
            "The language of generated classes."),
        ItemOption("minimum-tools", "minimumToolsVersion", .text, "The oldest Xcode that the model is for."),
        ItemOption("cloud-kit", "usedWithCloudKit", .flag(usual: false), "Whether stores are mirrored to CloudKit."),
    ]

    /// What identifies an item over versions of a model.
    private static let identity = [
        ItemOption("renaming-id", "elementID", .text, "The name in the version before, by which data is carried over."),
        ItemOption("hash-modifier", "versionHashModifier", .text, "A text that goes into the version hash."),
        ItemOption("syncable", "syncable", .flag(usual: true), "Whether sync services see it."),
    ]

    fileprivate static let ofEntity =
        [
            ItemOption("parent", "parentEntity", .entity, "The entity that it inherits from.", handling: .parent),
            ItemOption(
                "class", "representedClassName", .text, "The class of its objects, without a module.",
                handling: .className),
            ItemOption(
                "module", "representedClassName", .text,
                "The module of the class: a name, 'current' for that of the product, none for the global one.",
                handling: .module),
            ItemOption(
                "codegen", "codeGenerationType",
                .choice([
                    .init(word: "manual", raw: nil), .init(word: "class", raw: "class"),
                    .init(word: "category", raw: "category"),
                ]), "What the build generates of the class."),
            ItemOption("abstract", "isAbstract", .flag(usual: false), "Whether only heirs have objects."),
            ItemOption(
                "spotlight-name", "coreSpotlightDisplayNameExpression", .text,
                "The expression of the name that Spotlight shows."),
        ] + identity

    private static let ofStoredProperty = [
        ItemOption("optional", "optional", .flag(usual: false), "Whether the value may be missing."),
        ItemOption("transient", "transient", .flag(usual: false), "Whether it is kept out of stores."),
        ItemOption("spotlight", "spotlightIndexingEnabled", .flag(usual: false), "Whether Spotlight indexes it."),
        ItemOption(
            "external-record", "storedInTruthFile", .flag(usual: false), "Whether external records have it."),
        ItemOption("indexed", "indexed", .flag(usual: false), "Whether it has an index of its own; old models only."),
    ]

    fileprivate static let ofAttribute =
        [
            ItemOption("type", "attributeType", .type, "The type of its values.", handling: .type),
            ItemOption("composite", "composite", .name, "The composite.", scope: .types(["Composite"])),
            ItemOption(
                "derivation", "derivationExpression", .text, "The expression that a derived attribute is made by.",
                handling: .derivation),
            ItemOption(
                "default", "defaultValueString", .value, "The value of fresh objects.",
                scope: .types(AttributeTypeName.withDefault), handling: .defaultValue),
            ItemOption(
                "min", "minValueString", .value, "The least value.",
                scope: .types(AttributeTypeName.numbers.union(["Date"])), handling: .limit),
            ItemOption(
                "max", "maxValueString", .value, "The greatest value.",
                scope: .types(AttributeTypeName.numbers.union(["Date"])), handling: .limit),
            ItemOption(
                "min-length", "minValueString", .count, "The least number of characters.", scope: .types(["String"]),
                handling: .limit),
            ItemOption(
                "max-length", "maxValueString", .count, "The greatest number of characters.",
                scope: .types(["String"]), handling: .limit),
            ItemOption(
                "regex", "regularExpressionString", .text, "The pattern that values match as a whole.",
                scope: .types(["String"])),
            ItemOption(
                "scalar", "usesScalarValueType", .statedFlag, "Whether classes have it as a plain value.",
                scope: .types(AttributeTypeName.scalars)),
            ItemOption(
                "transformer", "valueTransformerName", .text, "The name of the value transformer.",
                scope: .types(["Transformable"])),
            ItemOption(
                "custom-class", "customClassName", .text, "The class of the values.", scope: .types(["Transformable"])),
            ItemOption(
                "external", "allowsExternalBinaryDataStorage", .flag(usual: false),
                "Whether large values become files.", scope: .types(["Binary", "Transformable"])),
            ItemOption(
                "preserve", "preserveAfterDeletion", .flag(usual: false),
                "Whether history keeps the value of the deleted."),
            ItemOption("encrypt", "allowsCloudEncryption", .flag(usual: false), "Whether CloudKit encrypts it."),
        ] + ofStoredProperty + identity

    fileprivate static let ofRelationship =
        [
            ItemOption(
                "destination", "destinationEntity", .entity, "The entity at its other end.", handling: .destination),
            ItemOption(
                "inverse", "inverseName", .name, "The relationship that leads back; both name each other.",
                handling: .inverse),
            ItemOption(
                "to-many", "toMany", .flag(usual: false), "Whether it leads to many objects.", handling: .toMany),
            ItemOption(
                "min-count", "minCount", .count, "The least number of objects.", handling: .counts),
            ItemOption(
                "max-count", "maxCount", .count, "The greatest number of objects.", scope: .toMany, handling: .counts),
            ItemOption("ordered", "ordered", .flag(usual: false), "Whether the objects have an order.", scope: .toMany),
            ItemOption(
                "delete-rule", "deletionRule",
                .choice([
                    .init(word: "nullify", raw: "Nullify"), .init(word: "cascade", raw: "Cascade"),
                    .init(word: "deny", raw: "Deny"), .init(word: "no-action", raw: "No Action"),
                ]), "What becomes of the other end when the object is deleted."),
        ] + ofStoredProperty + identity

    fileprivate static let ofFetchedProperty =
        ofFetch(handling: .fetch)
        + ofStoredProperty.filter { ["optional", "spotlight", "external-record"].contains($0.name) } + identity

    fileprivate static func ofFetch(handling: Handling) -> [ItemOption] {
        func option(_ name: String, _ attribute: String, _ form: Form, _ summary: String) -> ItemOption {
            ItemOption(name, attribute, form, summary, handling: handling)
        }
        return [
            option("entity", "entity", .entity, "What is fetched."),
            option("predicate", "predicateString", .predicate, "Which objects are fetched."),
            option("limit", "fetchLimit", .count, "How many objects are fetched at most; all for 0."),
            option("batch-size", "fetchBatchSize", .count, "How many objects are read at once; all for 0."),
            option(
                "result", "resultType",
                .choice([
                    .init(word: "objects", raw: nil), .init(word: "ids", raw: "1"),
                    .init(word: "dictionaries", raw: "2"), .init(word: "count", raw: "4"),
                ]), "What is made of the rows."),
            option("subentities", "includeSubentities", .flag(usual: true), "Whether objects of heirs are fetched."),
            option("values", "includePropertyValues", .statedFlag, "Whether values are read along."),
            option("pending-changes", "includesPendingChanges", .statedFlag, "Whether unsaved changes count."),
            option("faults", "returnObjectsAsFaults", .flag(usual: true), "Whether objects come as faults."),
            option("distinct", "returnDistinctResults", .flag(usual: false), "Whether equal rows come once."),
        ]
    }

    fileprivate static let ofIndex = [
        ItemOption(
            "elements", "fetchIndexElement", .names,
            "Its properties; '-' before one for falling order, ':rtree' behind it for a spatial index.",
            handling: .indexElements),
        ItemOption("predicate", "partialIndexPredicate", .predicate, "Which objects are in the index; all without it."),
    ]

    fileprivate static let ofConfiguration = [
        ItemOption("entities", "memberEntity", .names, "The entities in it.", handling: .members)
    ]
}
