import CoreDataFoundation

/// Rules about the types, storage and defaults of attributes.
enum AttributeRules {
    static let untyped = ModelRule(
        "attribute-without-type", severity: .error, statement: "A stored attribute has no type.",
        remedy: "Choose a type, or make the attribute transient.", refusal: .sources)
    static let external = ModelRule(
        "external-storage-type", severity: .warning,
        statement: "External storage is asked for values that are no bytes.",
        remedy: "Turn external storage off, or make the attribute binary or transformable.")
    static let transientExternal = ModelRule(
        "transient-external-storage", severity: .warning,
        statement: "External storage is asked for an attribute that is not stored.",
        remedy: "Turn external storage off, or store the attribute.")
    static let withoutDefault = ModelRule(
        "required-without-default", severity: .note,
        statement: "A required attribute has no default, so a save right after an insertion fails.",
        remedy: "Set the value before saving, give a default, or make the attribute optional.")

    static let subject = ModelRuleSubject(
        title: "Attributes", rules: [untyped, external, transientExternal, withoutDefault],
        check: { checker in
            // An attribute of unknown type has already been reported.
            let unknown = Set(checker.outline.faults.filter { $0.rule == DocumentRules.unknownType }.map(\.place))
            checker.forEachProperty { checker, _, entity, property in
                guard let attribute = property.attribute, property.place == nil || !unknown.contains(property.place)
                else {
                    return
                }
                check(attribute, property: property, entity: entity, checker: &checker)
            }
        })

    private static func check(
        _ attribute: NSAttributeDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        let type = attribute.attributeType
        if type == .undefinedAttributeType, !attribute.isTransient {
            checker.report(
                untyped, entity: entity, property: property,
                message: "has no type; only a transient attribute may do without")
        }
        if attribute.allowsExternalBinaryDataStorage {
            if attribute.isTransient {
                checker.report(
                    transientExternal, entity: entity, property: property,
                    message: "asks for external storage and is not stored")
            } else if type != .binaryDataAttributeType, type != .transformableAttributeType {
                checker.report(
                    external, entity: entity, property: property,
                    message: "asks for external storage, and its values are no bytes")
            }
        }
        let isComputed = attribute is NSDerivedAttributeDescription || attribute is NSCompositeAttributeDescription
        if !attribute.isOptional, !attribute.isTransient, !isComputed, attribute.defaultValue == nil {
            checker.report(
                withoutDefault, entity: entity, property: property, message: "is required and has no default")
        }
    }
}
