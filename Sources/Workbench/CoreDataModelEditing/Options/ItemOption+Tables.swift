extension SourceItemKind {
    /// The options of items of the kind, in the order in which an edit that sets several options applies them.
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
        case .userInfo: [ItemOption("value", attribute: "value", form: .text, summary: "The text under the key.")]
        case .constraint, .member, .composite: []
        }
    }
}

extension ItemOption {
    fileprivate static let ofModel = [
        ItemOption(
            "identifier", attribute: "userDefinedModelVersionIdentifier", form: .text,
            summary: "The version's identifier."),
        ItemOption(
            "language", attribute: "sourceLanguage",
            form: .choice([.init(word: "Objective-C", raw: "Objective-C"), .init(word: "Swift", raw: "Swift")]),
            summary: "The language of generated classes."),
        ItemOption(
            "minimum-tools", attribute: "minimumToolsVersion", form: .text,
            summary: "The oldest Xcode that the model is for."),
        ItemOption(
            "cloud-kit", attribute: "usedWithCloudKit", form: .flag(usual: false),
            summary: "Whether stores are mirrored to CloudKit."),
    ]

    /// The options about versioning and synchronization that entities and properties have.
    private static let identity = [
        ItemOption(
            "renaming-id", attribute: "elementID", form: .text,
            summary: "The name in the version before, by which data is carried over."),
        ItemOption(
            "hash-modifier", attribute: "versionHashModifier", form: .text,
            summary: "A text that goes into the version hash."),
        ItemOption(
            "syncable", attribute: "syncable", form: .flag(usual: true), summary: "Whether sync services see it."),
    ]

    fileprivate static let ofEntity =
        [
            ItemOption(
                "parent", attribute: "parentEntity", form: .entity, summary: "The entity that it inherits from.",
                handling: .parent),
            ItemOption(
                "class", attribute: "representedClassName", form: .text,
                summary: "The class of its objects, without a module.",
                handling: .className),
            ItemOption(
                "module", attribute: "representedClassName", form: .text,
                summary: "The module of the class: a name, 'current' for that of the product, none for the global one.",
                handling: .module),
            ItemOption(
                "codegen", attribute: "codeGenerationType",
                form: .choice([
                    .init(word: "manual", raw: nil), .init(word: "class", raw: "class"),
                    .init(word: "category", raw: "category"),
                ]), summary: "What the build generates of the class."),
            ItemOption(
                "abstract", attribute: "isAbstract", form: .flag(usual: false),
                summary: "Whether only heirs have objects."),
            ItemOption(
                "spotlight-name", attribute: "coreSpotlightDisplayNameExpression", form: .text,
                summary: "The expression of the name that Spotlight shows."),
        ] + identity

    private static let ofStoredProperty = [
        ItemOption(
            "optional", attribute: "optional", form: .flag(usual: false), summary: "Whether the value may be missing."),
        ItemOption(
            "transient", attribute: "transient", form: .flag(usual: false), summary: "Whether it is kept out of stores."
        ),
        ItemOption(
            "spotlight", attribute: "spotlightIndexingEnabled", form: .flag(usual: false),
            summary: "Whether Spotlight indexes it."),
        ItemOption(
            "external-record", attribute: "storedInTruthFile", form: .flag(usual: false),
            summary: "Whether external records have it."),
        ItemOption(
            "indexed", attribute: "indexed", form: .flag(usual: false),
            summary: "Whether it has an index of its own; old models only."),
    ]

    fileprivate static let ofAttribute =
        [
            ItemOption(
                "type", attribute: "attributeType", form: .type, summary: "The type of its values.", handling: .type),
            ItemOption(
                "composite", attribute: "composite", form: .name, summary: "The composite.",
                scope: .types(["Composite"])),
            ItemOption(
                "derivation", attribute: "derivationExpression", form: .text,
                summary: "The expression that a derived attribute is made by.",
                handling: .derivation),
            ItemOption(
                "default", attribute: "defaultValueString", form: .value, summary: "The value of fresh objects.",
                scope: .types(AttributeTypeName.withDefault), handling: .defaultValue),
            ItemOption(
                "min", attribute: "minValueString", form: .value, summary: "The least value.",
                scope: .types(AttributeTypeName.numbers.union(["Date"])), handling: .limit),
            ItemOption(
                "max", attribute: "maxValueString", form: .value, summary: "The greatest value.",
                scope: .types(AttributeTypeName.numbers.union(["Date"])), handling: .limit),
            ItemOption(
                "min-length", attribute: "minValueString", form: .count, summary: "The least number of characters.",
                scope: .types(["String"]),
                handling: .limit),
            ItemOption(
                "max-length", attribute: "maxValueString", form: .count, summary: "The greatest number of characters.",
                scope: .types(["String"]), handling: .limit),
            ItemOption(
                "regex", attribute: "regularExpressionString", form: .text,
                summary: "The pattern that values match as a whole.",
                scope: .types(["String"])),
            ItemOption(
                "scalar", attribute: "usesScalarValueType", form: .statedFlag,
                summary: "Whether classes have it as a plain value.",
                scope: .types(AttributeTypeName.scalars)),
            ItemOption(
                "transformer", attribute: "valueTransformerName", form: .text,
                summary: "The name of the value transformer.",
                scope: .types(["Transformable"])),
            ItemOption(
                "custom-class", attribute: "customClassName", form: .text, summary: "The class of the values.",
                scope: .types(["Transformable"])),
            ItemOption(
                "external", attribute: "allowsExternalBinaryDataStorage", form: .flag(usual: false),
                summary: "Whether large values become files.", scope: .types(["Binary", "Transformable"])),
            ItemOption(
                "preserve", attribute: "preserveAfterDeletion", form: .flag(usual: false),
                summary: "Whether history keeps the value of the deleted."),
            ItemOption(
                "encrypt", attribute: "allowsCloudEncryption", form: .flag(usual: false),
                summary: "Whether CloudKit encrypts it."),
        ] + ofStoredProperty + identity

    fileprivate static let ofRelationship =
        [
            ItemOption(
                "destination", attribute: "destinationEntity", form: .entity, summary: "The entity at its other end.",
                handling: .destination),
            ItemOption(
                "inverse", attribute: "inverseName", form: .name,
                summary: "The relationship that leads back; both name each other.",
                handling: .inverse),
            ItemOption(
                "to-many", attribute: "toMany", form: .flag(usual: false), summary: "Whether it leads to many objects.",
                handling: .toMany),
            ItemOption(
                "min-count", attribute: "minCount", form: .count, summary: "The least number of objects.",
                handling: .counts),
            ItemOption(
                "max-count", attribute: "maxCount", form: .count, summary: "The greatest number of objects.",
                scope: .toMany, handling: .counts),
            ItemOption(
                "ordered", attribute: "ordered", form: .flag(usual: false),
                summary: "Whether the objects have an order.", scope: .toMany),
            ItemOption(
                "delete-rule", attribute: "deletionRule",
                form: .choice([
                    .init(word: "nullify", raw: "Nullify"), .init(word: "cascade", raw: "Cascade"),
                    .init(word: "deny", raw: "Deny"), .init(word: "no-action", raw: "No Action"),
                ]), summary: "What becomes of the other end when the object is deleted."),
        ] + ofStoredProperty + identity

    fileprivate static let ofFetchedProperty =
        ofFetch(handling: .fetch)
        + ofStoredProperty.filter { ["optional", "spotlight", "external-record"].contains($0.name) } + identity

    fileprivate static func ofFetch(handling: Handling) -> [ItemOption] {
        func option(_ name: String, _ attribute: String, _ form: Form, _ summary: String) -> ItemOption {
            ItemOption(name, attribute: attribute, form: form, summary: summary, handling: handling)
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
            "elements", attribute: "fetchIndexElement", form: .names,
            summary: "Its properties; '-' before one for falling order, ':rtree' behind it for a spatial index.",
            handling: .indexElements),
        ItemOption(
            "predicate", attribute: "partialIndexPredicate", form: .predicate,
            summary: "Which objects are in the index; all without it."),
    ]

    fileprivate static let ofConfiguration = [
        ItemOption(
            "entities", attribute: "memberEntity", form: .names, summary: "The entities in it.", handling: .members)
    ]
}
