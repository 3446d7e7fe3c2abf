import CoreDataFoundation

/// Rules about what a deletion does to the other end of a relationship.
enum DeletionRules {
    static let noAction = ModelRule(
        "no-action-delete-rule", severity: .warning,
        statement: "The delete rule 'No Action' leaves references to objects that are gone.",
        remedy: "Use 'Nullify', 'Cascade' or 'Deny'.")
    static let denyWithoutInverse = ModelRule(
        "deny-without-inverse", severity: .warning,
        statement:
            "The delete rule 'Deny' without an inverse refuses deletions that nothing at the other end can prepare.",
        remedy: "Add an inverse, or choose another delete rule.")
    static let cascadeBothWays = ModelRule(
        "cascade-both-ways", severity: .warning,
        statement: "Both ends of a relationship cascade: deleting any object deletes all that hang together.",
        remedy: "Let only the owning end cascade.")
    static let cascadeManyToMany = ModelRule(
        "cascade-many-to-many", severity: .warning,
        statement: "A many-to-many relationship cascades: objects that others share are deleted.",
        remedy: "Use 'Nullify'.")
    static let nullifyRequired = ModelRule(
        "nullify-required-inverse", severity: .warning,
        statement:
            "A deletion nullifies an inverse that is required, so the save fails unless the other object goes or is given another.",
        remedy: "Use 'Cascade' or 'Deny', or make the inverse optional.")

    static let subject = ModelRuleSubject(
        title: "Delete rules",
        rules: [noAction, denyWithoutInverse, cascadeBothWays, cascadeManyToMany, nullifyRequired],
        check: { checker in
            checker.forEachProperty { checker, _, entity, property in
                guard let relationship = property.relationship, !relationship.isTransient else { return }
                check(relationship, property: property, entity: entity, checker: &checker)
            }
        })

    private static func check(
        _ relationship: NSRelationshipDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        let inverse = checker.scope.inverse(of: property)?.property.relationship
        switch relationship.deleteRule {
        case .noActionDeleteRule:
            checker.report(noAction, entity: entity, property: property, message: "has the delete rule 'No Action'")
        case .denyDeleteRule where property.inverse == nil:
            checker.report(
                denyWithoutInverse, entity: entity, property: property, message: "denies deletions and has no inverse")
        case .cascadeDeleteRule:
            guard let inverse, inverse !== relationship else { return }
            if inverse.deleteRule == .cascadeDeleteRule, relationship.name <= inverse.name {
                checker.report(
                    cascadeBothWays, entity: entity, property: property,
                    message: "cascades, and so does its inverse '\(inverse.name)'")
            }
            if relationship.isToMany, inverse.isToMany {
                checker.report(
                    cascadeManyToMany, entity: entity, property: property,
                    message: "cascades to objects that others may share")
            }
        case .nullifyDeleteRule:
            guard let inverse, !inverse.isOptional, !inverse.isToMany, inverse !== relationship else { return }
            let text = "nullifies its inverse '\(inverse.name)', which is required"
            checker.report(nullifyRequired, entity: entity, property: property, message: text)
        default: break
        }
    }
}
