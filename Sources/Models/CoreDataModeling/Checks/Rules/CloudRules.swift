import CoreDataFoundation

/// Rules of models that are used with CloudKit. Source: Apple's page on models for CloudKit.
enum CloudRules {
    static let constraint = ModelRule(
        "cloudkit-constraint", .note, "CloudKit keeps no uniqueness constraints.",
        remedy: "Remove the constraint, and merge equal objects after they arrive.")
    static let attributeType = ModelRule(
        "cloudkit-attribute-type", .note, "CloudKit keeps no attributes without a type and no object identifiers.",
        remedy: "Choose another type.")
    static let requiredAttribute = ModelRule(
        "cloudkit-required-attribute", .note, "With CloudKit an attribute must be optional or have a default.",
        remedy: "Make the attribute optional, or give it a default.")
    static let requiredRelationship = ModelRule(
        "cloudkit-required-relationship", .note, "With CloudKit every relationship must be optional.",
        remedy: "Make the relationship optional.")
    static let inverse = ModelRule(
        "cloudkit-inverse", .note, "With CloudKit every relationship must have an inverse.",
        remedy: "Add the inverse.")
    static let deny = ModelRule(
        "cloudkit-deny", .note, "CloudKit knows no delete rule 'Deny'.",
        remedy: "Choose another delete rule.")
    static let ordered = ModelRule(
        "cloudkit-ordered", .note, "CloudKit keeps no order of relationships.",
        remedy: "Keep the order in an attribute.")

    static let subject = ModelRuleSubject(
        title: "CloudKit",
        rules: [constraint, attributeType, requiredAttribute, requiredRelationship, inverse, deny, ordered],
        check: { checker in
            guard checker.outline.isUsedWithCloudKit else { return }
            for entity in checker.outline.entities where !entity.description.uniquenessConstraints.isEmpty {
                checker.report(constraint, entity, "has a uniqueness constraint, which CloudKit does not keep")
            }
            checker.forEachProperty { checker, _, entity, property in
                guard !property.description.isTransient else { return }
                if let attribute = property.attribute { check(attribute, property, entity, &checker) }
                if let relationship = property.relationship { check(relationship, property, entity, &checker) }
            }
        })

    private static func check(
        _ attribute: NSAttributeDescription, _ property: ModelOutline.Property, _ entity: ModelOutline.Entity,
        _ checker: inout RuleViolationCollector
    ) {
        if [.undefinedAttributeType, .objectIDAttributeType].contains(attribute.attributeType) {
            checker.report(attributeType, entity, property, "has a type that CloudKit does not keep")
        }
        let isDerived = attribute is NSDerivedAttributeDescription
        if !attribute.isOptional, attribute.defaultValue == nil, !isDerived {
            checker.report(requiredAttribute, entity, property, "is required without a default, which CloudKit refuses")
        }
    }

    private static func check(
        _ relationship: NSRelationshipDescription, _ property: ModelOutline.Property, _ entity: ModelOutline.Entity,
        _ checker: inout RuleViolationCollector
    ) {
        if !relationship.isOptional {
            checker.report(requiredRelationship, entity, property, "is required, which CloudKit refuses")
        }
        if property.inverse == nil {
            checker.report(inverse, entity, property, "has no inverse, which CloudKit refuses")
        }
        if relationship.deleteRule == .denyDeleteRule {
            checker.report(deny, entity, property, "denies deletions, which CloudKit refuses")
        }
        if relationship.isOrdered { checker.report(ordered, entity, property, "is ordered, which CloudKit refuses") }
    }
}
