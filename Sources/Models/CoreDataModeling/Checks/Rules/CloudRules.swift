import CoreDataFoundation

/// Rules of models that are used with CloudKit. Source: Apple's page on models for CloudKit.
enum CloudRules {
    static let constraint = ModelRule(
        "cloudkit-constraint", severity: .note, statement: "CloudKit keeps no uniqueness constraints.",
        remedy: "Remove the constraint, and merge equal objects after they arrive.")
    static let attributeType = ModelRule(
        "cloudkit-attribute-type", severity: .note,
        statement: "CloudKit keeps no attributes without a type and no object identifiers.",
        remedy: "Choose another type.")
    static let requiredAttribute = ModelRule(
        "cloudkit-required-attribute", severity: .note,
        statement: "With CloudKit an attribute must be optional or have a default.",
        remedy: "Make the attribute optional, or give it a default.")
    static let requiredRelationship = ModelRule(
        "cloudkit-required-relationship", severity: .note,
        statement: "With CloudKit every relationship must be optional.",
        remedy: "Make the relationship optional.")
    static let inverse = ModelRule(
        "cloudkit-inverse", severity: .note, statement: "With CloudKit every relationship must have an inverse.",
        remedy: "Add the inverse.")
    static let deny = ModelRule(
        "cloudkit-deny", severity: .note, statement: "CloudKit knows no delete rule 'Deny'.",
        remedy: "Choose another delete rule.")
    static let ordered = ModelRule(
        "cloudkit-ordered", severity: .note, statement: "CloudKit keeps no order of relationships.",
        remedy: "Keep the order in an attribute.")

    static let subject = ModelRuleSubject(
        title: "CloudKit",
        rules: [constraint, attributeType, requiredAttribute, requiredRelationship, inverse, deny, ordered],
        check: { checker in
            guard checker.outline.isUsedWithCloudKit else { return }
            for entity in checker.outline.entities where !entity.description.uniquenessConstraints.isEmpty {
                checker.report(
                    constraint, entity: entity, message: "has a uniqueness constraint, which CloudKit does not keep")
            }
            checker.forEachProperty { checker, _, entity, property in
                guard !property.description.isTransient else { return }
                if let attribute = property.attribute {
                    check(attribute, property: property, entity: entity, checker: &checker)
                }
                if let relationship = property.relationship {
                    check(relationship, property: property, entity: entity, checker: &checker)
                }
            }
        })

    private static func check(
        _ attribute: NSAttributeDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        if [.undefinedAttributeType, .objectIDAttributeType].contains(attribute.attributeType) {
            checker.report(
                attributeType, entity: entity, property: property, message: "has a type that CloudKit does not keep")
        }
        let isDerived = attribute is NSDerivedAttributeDescription
        if !attribute.isOptional, attribute.defaultValue == nil, !isDerived {
            checker.report(
                requiredAttribute, entity: entity, property: property,
                message: "is required without a default, which CloudKit refuses")
        }
    }

    private static func check(
        _ relationship: NSRelationshipDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        if !relationship.isOptional {
            checker.report(
                requiredRelationship, entity: entity, property: property, message: "is required, which CloudKit refuses"
            )
        }
        if property.inverse == nil {
            checker.report(
                inverse, entity: entity, property: property, message: "has no inverse, which CloudKit refuses")
        }
        if relationship.deleteRule == .denyDeleteRule {
            checker.report(
                deny, entity: entity, property: property, message: "denies deletions, which CloudKit refuses")
        }
        if relationship.isOrdered {
            checker.report(ordered, entity: entity, property: property, message: "is ordered, which CloudKit refuses")
        }
    }
}
