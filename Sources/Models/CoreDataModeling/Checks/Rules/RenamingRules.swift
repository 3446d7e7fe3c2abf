import CoreDataFoundation

/// Rules about renaming identifiers, by which a migration recognises renamed entities and properties.
enum RenamingRules {
    static let entities = ModelRule(
        "entity-renaming-clash", severity: .warning, statement: "Two entities have the same renaming identifier.",
        remedy: "Give each entity an identifier of its own: a migration could not tell which is meant.")
    static let properties = ModelRule(
        "property-renaming-clash", severity: .warning,
        statement: "Two properties of an entity have the same renaming identifier.",
        remedy: "Give each property an identifier of its own: a migration could not tell which is meant.")

    static let subject = ModelRuleSubject(
        title: "Renaming", rules: [entities, properties],
        check: { checker in
            var names: [String: String] = [:]
            for entity in checker.outline.entities {
                if let identifier = entity.description.renamingIdentifier,
                    let other = names.updateValue(entity.name, forKey: identifier), other != entity.name
                {
                    checker.report(
                        entities, entity: entity,
                        message: "has the renaming identifier '\(identifier)', as '\(other)' has")
                }
                checkProperties(of: entity, &checker)
            }
        })

    private static func checkProperties(of entity: ModelOutline.Entity, _ checker: inout RuleViolationCollector) {
        var names: [String: String] = [:]
        for property in entity.properties {
            guard let identifier = property.description.renamingIdentifier,
                let other = names.updateValue(property.name, forKey: identifier), other != property.name
            else { continue }
            checker.report(
                properties, entity: entity, property: property,
                message: "has the renaming identifier '\(identifier)', as '\(other)' has")
        }
    }
}
