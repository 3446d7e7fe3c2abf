import CoreDataFoundation

/// Rules about the parents of entities and what is inherited from them.
enum InheritanceRules {
    static let unknownParent = ModelRule(
        "unknown-parent", severity: .error, statement: "An entity names a parent that the model does not have.",
        remedy: "Name an entity of the model, or none.", refusal: .always)
    static let circle = ModelRule(
        "inheritance-cycle", severity: .error, statement: "An entity inherits from itself.",
        remedy: "Take the parent away from one entity of the circle.", refusal: .always)
    static let depth = ModelRule(
        "inheritance-depth", severity: .error, statement: "A line of inheritance is longer than 128 entities.",
        remedy: "Make the line of parents shorter.", refusal: .always)
    static let redeclared = ModelRule(
        "inherited-property", severity: .error, statement: "A property has the name of an inherited one.",
        remedy: "Rename the property, or leave it to the parent.", refusal: .always)
    static let childless = ModelRule(
        "abstract-without-children", severity: .warning,
        statement: "An abstract entity has no children, so it can have no objects.",
        remedy: "Give it a child, or make it concrete.")
    static let empty = ModelRule(
        "entity-without-properties", severity: .note, statement: "An entity has no properties and inherits none.",
        remedy: "Add a property, or remove the entity.")

    static let subject = ModelRuleSubject(
        title: "Inheritance", rules: [unknownParent, circle, depth, redeclared, childless, empty],
        check: { checker in
            for number in checker.scope.circles {
                checker.report(circle, entity: checker.outline.entities[number], message: "inherits from itself")
            }
            for number in checker.scope.tooDeep {
                checker.report(
                    depth, entity: checker.outline.entities[number],
                    message: "has more than \(NSEntityDescription.greatestDepth - 1) entities above it")
            }
            for (number, entity) in checker.outline.entities.enumerated() {
                check(entity, number: number, checker: &checker)
            }
        })

    private static func check(_ entity: ModelOutline.Entity, number: Int, checker: inout RuleViolationCollector) {
        if let parent = entity.parent, checker.scope.number(of: parent) == nil {
            let hint = checker.suggestion(for: parent, among: .entities)
            checker.report(unknownParent, entity: entity, message: "has the unknown parent '\(parent)'", hint: hint)
        }
        let ancestors = checker.scope.lineage(of: number).dropFirst()
        for ancestor in ancestors {
            for property in entity.properties where checker.scope.ownProperty(property.name, of: ancestor) != nil {
                let name = checker.outline.entities[ancestor].name
                checker.report(
                    redeclared, entity: entity, property: property,
                    message: "has the name of a property that is inherited from '\(name)'")
            }
        }
        if entity.description.isAbstract, checker.scope.children[number] == 0 {
            checker.report(childless, entity: entity, message: "is abstract and has no children")
        }
        let isEmpty = entity.properties.isEmpty
        if isEmpty, ancestors.allSatisfy({ checker.outline.entities[$0].properties.isEmpty }) {
            checker.report(empty, entity: entity, message: "has no properties")
        }
    }
}
