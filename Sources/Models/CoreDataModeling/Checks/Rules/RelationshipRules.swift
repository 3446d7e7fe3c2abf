import CoreDataFoundation

/// Rules about the destinations, counts and order of relationships.
enum RelationshipRules {
    static let withoutDestination = ModelRule(
        "relationship-without-destination", severity: .error, statement: "A relationship leads nowhere.",
        remedy: "Choose the entity at its other end.", refusal: .always)
    static let unknownDestination = ModelRule(
        "unknown-destination", severity: .error,
        statement: "A relationship leads to an entity that the model does not have.",
        remedy: "Name an entity of the model.", refusal: .always)
    static let counts = ModelRule(
        "minimum-count-above-maximum", severity: .error,
        statement: "The least number of objects is greater than the greatest.",
        remedy: "Exchange or correct the two numbers.")
    static let negativeCount = ModelRule(
        "negative-count", severity: .error, statement: "A number of objects is negative.",
        remedy: "Use 0 for no limit.")
    static let toManyOfOne = ModelRule(
        "to-many-of-one", severity: .warning,
        statement: "A to-many relationship may have at most one object, which makes it to-one.",
        remedy: "Make it to-one, or raise the greatest number.")
    static let toOneOfMany = ModelRule(
        "to-one-of-many", severity: .warning,
        statement: "A relationship that is not to-many may have more than one object.",
        remedy: "Make it to-many, or set its greatest number to 1.")
    static let orderedToOne = ModelRule(
        "ordered-to-one", severity: .warning, statement: "A to-one relationship asks for an order.",
        remedy: "Turn the order off.")
    static let orderedManyToMany = ModelRule(
        "ordered-many-to-many", severity: .note,
        statement:
            "An ordered relationship has a to-many inverse: each end keeps an order of its own, and saves write both.",
        remedy: "Keep the order in an entity between the two where it matters.")

    static let subject = ModelRuleSubject(
        title: "Relationships",
        rules: [
            withoutDestination, unknownDestination, counts, negativeCount, toManyOfOne, toOneOfMany, orderedToOne,
            orderedManyToMany,
        ],
        check: { checker in
            checker.forEachProperty { checker, _, entity, property in
                guard let relationship = property.relationship else { return }
                checkDestination(property, entity: entity, checker: &checker)
                checkCounts(relationship, property: property, entity: entity, checker: &checker)
                checkOrder(relationship, property: property, entity: entity, checker: &checker)
            }
        })

    private static func checkDestination(
        _ property: ModelOutline.Property, entity: ModelOutline.Entity, checker: inout RuleViolationCollector
    ) {
        guard let destination = property.destination, !destination.isEmpty else {
            // The reader of a source has already reported the missing destination.
            if !checker.outline.isSource {
                checker.report(withoutDestination, entity: entity, property: property, message: "leads nowhere")
            }
            return
        }
        guard checker.scope.number(of: destination) == nil else { return }
        let hint = checker.suggestion(for: destination, among: .entities)
        checker.report(
            unknownDestination, entity: entity, property: property,
            message: "leads to the unknown entity '\(destination)'", hint: hint)
    }

    private static func checkCounts(
        _ relationship: NSRelationshipDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        let (least, greatest) = (relationship.minCount, relationship.maxCount)
        if least < 0 || greatest < 0 {
            checker.report(
                negativeCount, entity: entity, property: property,
                message: "has a negative number of objects for a limit")
        } else if greatest != 0, least > greatest {
            checker.report(
                counts, entity: entity, property: property,
                message: "must have at least \(least) and at most \(greatest) objects")
        }
        switch property.isToMany {
        case true? where greatest == 1:
            checker.report(
                toManyOfOne, entity: entity, property: property, message: "is to-many with at most one object")
        case false? where greatest != 1:
            let text = greatest == 0 ? "any number of" : "up to \(greatest)"
            checker.report(
                toOneOfMany, entity: entity, property: property, message: "is not to-many and may have \(text) objects")
        default: break
        }
    }

    private static func checkOrder(
        _ relationship: NSRelationshipDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        guard relationship.isOrdered else { return }
        guard relationship.isToMany else {
            return checker.report(
                orderedToOne, entity: entity, property: property, message: "is to-one and asks for an order")
        }
        guard checker.scope.inverse(of: property)?.property.relationship?.isToMany == true else { return }
        checker.report(
            orderedManyToMany, entity: entity, property: property, message: "is ordered and has a to-many inverse")
    }
}
