import CoreDataFoundation

/// Rules about the value transformers of transformable attributes.
enum TransformerRules {
    static let insecure = ModelRule(
        "insecure-transformer", severity: .warning,
        statement: "A transformable attribute names no transformer, or one that reads archives of any class.",
        remedy: "Name 'NSSecureUnarchiveFromData', or a transformer that inherits from it.")
    static let unknown = ModelRule(
        "unknown-transformer", severity: .warning,
        statement: "An attribute names a transformer that is not among the known ones.",
        remedy: "Register a transformer of the name, or correct it.")
    static let otherType = ModelRule(
        "transformer-on-type", severity: .warning,
        statement: "A transformer is named for an attribute that is not transformable.",
        remedy: "Make the attribute transformable, or remove the transformer.")

    /// The names of the framework's secure transformers, with and without the ending of the constants.
    static let builtIn: Set<String> = [
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
        "NSNegateBoolean", "NSIsNil", "NSIsNotNil", "NSNegateBooleanTransformerName", "NSIsNilTransformerName",
        "NSIsNotNilTransformerName",
    ]
    private static let insecureNames: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
        "NSUnarchiveFromDataTransformerName",
    ]

    static let subject = ModelRuleSubject(
        title: "Transformers", rules: [insecure, unknown, otherType],
        check: { checker in
            checker.forEachProperty { checker, _, entity, property in
                guard let attribute = property.attribute else { return }
                check(attribute, property: property, entity: entity, checker: &checker)
            }
        })

    private static func check(
        _ attribute: NSAttributeDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        let name = attribute.valueTransformerName ?? ""
        guard attribute.attributeType == .transformableAttributeType else {
            if !name.isEmpty {
                checker.report(
                    otherType, entity: entity, property: property,
                    message: "names the transformer '\(name)' and is not transformable")
            }
            return
        }
        guard !name.isEmpty, !insecureNames.contains(name) else {
            guard !attribute.isTransient else { return }
            let text = name.isEmpty ? "names no transformer" : "names the transformer '\(name)'"
            checker.report(
                insecure, entity: entity, property: property,
                message: "\(text), and archives of any class would be read")
            return
        }
        guard let known = checker.options.transformers, !known.contains(name), !builtIn.contains(name) else { return }
        let hint = checker.suggestion(for: name, among: .names(Array(known.union(builtIn))))
        checker.report(
            unknown, entity: entity, property: property, message: "names the unknown transformer '\(name)'", hint: hint)
    }
}
