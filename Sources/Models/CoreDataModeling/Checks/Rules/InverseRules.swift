import CoreDataFoundation

/// Rules about the two ends of a relationship.
enum InverseRules {
    static let missing = ModelRule(
        "missing-inverse", severity: .warning,
        statement: "A relationship has no inverse, so nothing keeps its two ends together.",
        remedy: "Add the relationship that leads back, and name the two each other's inverse.")
    static let unknown = ModelRule(
        "unknown-inverse", severity: .error,
        statement: "A relationship names an inverse that its destination does not have.",
        remedy: "Name a relationship of the destination, or none.", refusal: .always)
    static let elsewhere = ModelRule(
        "inverse-leads-elsewhere", severity: .error,
        statement: "The inverse of a relationship leads to another entity.",
        remedy: "Name the relationship that leads back to this entity.", refusal: .always)
    static let notMutual = ModelRule(
        "inverse-not-mutual", severity: .warning,
        statement: "The inverse of a relationship names another one, or none, as its own inverse.",
        remedy: "Let both relationships name each other.")
    static let otherEntity = ModelRule(
        "inverse-entity", severity: .warning,
        statement: "The source says of an inverse that it belongs to another entity than the destination.",
        remedy: "Choose the inverse again in a model editor.")
    static let requiredBothWays = ModelRule(
        "required-both-ways", severity: .note,
        statement:
            "Both ends of a relationship are required, so neither object can be saved or kept without the other.",
        remedy: "Make one end optional unless the two always come and go together.")

    static let subject = ModelRuleSubject(
        title: "Inverses", rules: [missing, unknown, elsewhere, notMutual, otherEntity, requiredBothWays],
        check: { checker in
            checker.forEachProperty { checker, number, entity, property in
                guard property.relationship != nil else { return }
                check(property, entity: entity, number: number, checker: &checker)
            }
        })

    private static func check(
        _ property: ModelOutline.Property, entity: ModelOutline.Entity, number: Int,
        checker: inout RuleViolationCollector
    ) {
        guard let name = property.inverse, !name.isEmpty else {
            return checker.report(missing, entity: entity, property: property, message: "has no inverse")
        }
        // An unknown destination is a finding of its own.
        guard let target = checker.scope.number(of: property.destination) else { return }
        let destination = checker.outline.entities[target]
        guard let (owner, inverse) = checker.scope.inverse(of: property) else {
            let hint = checker.suggestion(
                for: name, among: .properties(of: target))
            let text = "has the inverse '\(destination.name).\(name)', which does not exist"
            return checker.report(unknown, entity: entity, property: property, message: text, hint: hint)
        }
        let title = "\(checker.outline.entities[owner].name).\(name)"
        if let said = property.inverseEntity, let declared = checker.scope.number(of: said),
            !checker.scope.isKind(target, of: declared)
        {
            checker.report(
                otherEntity, entity: entity, property: property,
                message: "says that its inverse '\(name)' belongs to '\(said)'")
        }
        guard let back = checker.scope.number(of: inverse.destination),
            checker.scope.isKind(number, of: back) || checker.scope.isKind(back, of: number)
        else {
            let text = "has the inverse '\(title)', which leads to '\(inverse.destination ?? "")'"
            return checker.report(elsewhere, entity: entity, property: property, message: text)
        }
        checkMutual(property, entity: entity, number: number, inverse: inverse, title: title, checker: &checker)
    }

    private static func checkMutual(
        _ property: ModelOutline.Property, entity: ModelOutline.Entity, number: Int,
        inverse: ModelOutline.Property, title: String, checker: inout RuleViolationCollector
    ) {
        guard let (_, back) = checker.scope.inverse(of: inverse), back.description === property.description else {
            let other = inverse.inverse.map { "\(inverse.destination ?? "").\($0)" } ?? "none"
            return checker.report(
                notMutual, entity: entity, property: property,
                message: "names '\(title)' its inverse, which names '\(other)'")
        }
        let isFirst = property.name <= inverse.name
        guard isFirst, inverse.description !== property.description, isRequired(property), isRequired(inverse) else {
            return
        }
        checker.report(
            requiredBothWays, entity: entity, property: property,
            message: "and its inverse '\(title)' are both required")
    }

    private static func isRequired(_ property: ModelOutline.Property) -> Bool {
        guard let relationship = property.relationship, !relationship.isOptional else { return false }
        return !relationship.isToMany || relationship.minCount > 0
    }
}
