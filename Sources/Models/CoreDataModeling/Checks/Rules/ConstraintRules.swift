import CoreDataFoundation

/// Rules about uniqueness constraints.
enum ConstraintRules {
    static let unknown = ModelRule(
        "constraint-unknown-property", severity: .error,
        statement:
            "A uniqueness constraint names a property that its entity does not have, or an element that a composite does not have.",
        remedy: "Name an attribute of the entity, or an element of a composite one (`color.red`).", refusal: .always)
    static let unstored = ModelRule(
        "constraint-unstored-property", severity: .error,
        statement:
            "A uniqueness constraint names a property without a column: a transient, fetched, composite or to-many one.",
        remedy: "Name stored attributes, elements of composite ones or to-one relationships only.")
    static let type = ModelRule(
        "constraint-type", severity: .warning,
        statement: "A uniqueness constraint names an attribute whose values are compared as bytes.",
        remedy: "Constrain a text, a number, a date or an identifier.")
    static let empty = ModelRule(
        "constraint-without-properties", severity: .warning, statement: "A uniqueness constraint names no properties.",
        remedy: "Name a property, or remove the constraint.")
    static let repeated = ModelRule(
        "constraint-repeated-property", severity: .warning,
        statement: "A uniqueness constraint names a property twice.",
        remedy: "Name each property once.")
    static let inChild = ModelRule(
        "constraint-in-child", severity: .warning,
        statement:
            "An entity with a parent declares a uniqueness constraint, though its table is that of the topmost entity.",
        remedy: "Declare the constraint where the property is declared.")

    static let subject = ModelRuleSubject(
        title: "Uniqueness constraints", rules: [unknown, unstored, type, empty, repeated, inChild],
        check: { checker in
            for (number, entity) in checker.outline.entities.enumerated() {
                for names in entity.description.uniquenessConstraintNames {
                    check(names, of: entity, number: number, checker: &checker)
                }
            }
        })

    private static func check(
        _ names: [String], of entity: ModelOutline.Entity, number: Int, checker: inout RuleViolationCollector
    ) {
        if names.isEmpty {
            checker.report(empty, entity: entity, message: "has a uniqueness constraint without properties")
        }
        if Set(names).count < names.count {
            checker.report(repeated, entity: entity, message: "has a uniqueness constraint that names a property twice")
        }
        if checker.scope.parents[number] != nil, !names.isEmpty {
            checker.report(
                inChild, entity: entity,
                message: "has a parent and a uniqueness constraint on '\(names.joined(separator: ", "))'")
        }
        for name in names { check(name, of: entity, number: number, checker: &checker) }
    }

    private static func check(
        _ name: String, of entity: ModelOutline.Entity, number: Int, checker: inout RuleViolationCollector
    ) {
        let type: NSAttributeType?
        switch checker.scope.end(of: name, of: number) {
        case .unknownProperty:
            let hint = checker.suggestion(for: name, among: .properties(of: number))
            return checker.report(
                unknown, entity: entity, message: "has a uniqueness constraint on the unknown property '\(name)'",
                hint: hint)
        case .unknownElement(let known):
            let hint = checker.suggestion(for: name, among: .names(known))
            return checker.report(
                unknown, entity: entity, message: "has a uniqueness constraint on the unknown element '\(name)'",
                hint: hint)
        case .property(let property) where property.hasColumn: type = property.attribute?.attributeType
        case .element(let element) where !(element is NSCompositeAttributeDescription): type = element.attributeType
        case .property, .element:
            return checker.report(
                unstored, entity: entity, message: "has a uniqueness constraint on '\(name)', which has no column")
        }
        guard [.binaryDataAttributeType, .transformableAttributeType].contains(type) else { return }
        checker.report(
            self.type, entity: entity, message: "has a uniqueness constraint on '\(name)', which is compared as bytes")
    }
}
