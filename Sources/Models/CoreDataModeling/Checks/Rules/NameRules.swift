import CoreDataFoundation

/// Rules about the names of entities and properties.
enum NameRules {
    static let invalid = ModelRule(
        "invalid-name", severity: .error,
        statement: "A name is empty or has other characters than letters, digits and underscores.",
        remedy: "Use letters, digits and underscores, and begin with a letter.", refusal: .always)
    static let duplicateEntity = ModelRule(
        "duplicate-entity", severity: .error, statement: "Two entities have the same name.",
        remedy: "Rename one of the entities.", refusal: .always)
    static let duplicateProperty = ModelRule(
        "duplicate-property", severity: .error, statement: "An entity has two properties of the same name.",
        remedy: "Rename one of the properties.", refusal: .always)
    static let reservedProperty = ModelRule(
        "reserved-property-name", severity: .error,
        statement: "A property has the name of a member that managed objects need themselves.",
        remedy: "Choose another name.", refusal: .sources)
    static let reservedEntity = ModelRule(
        "reserved-entity-name", severity: .warning,
        statement: "An entity has the name of a class of the framework or a word of the language.",
        remedy: "Choose another name, or name the entity's class otherwise.")
    static let entityCase = ModelRule(
        "entity-name-case", severity: .warning,
        statement: "The name of an entity does not begin with a capital letter.",
        remedy: "Begin the entity's name with a capital letter.")
    static let propertyCase = ModelRule(
        "property-name-case", severity: .warning, statement: "The name of a property begins with a capital letter.",
        remedy: "Begin the property's name with a small letter.")
    static let nearlyEqualEntities = ModelRule(
        "entity-names-differ-by-case", severity: .warning,
        statement: "The names of two entities differ only in their letter case.",
        remedy: "Rename one of the entities: their tables and files would collide.")
    static let nearlyEqualProperties = ModelRule(
        "property-names-differ-by-case", severity: .warning,
        statement: "The names of two properties differ only in their letter case.",
        remedy: "Rename one of the properties: their columns would collide.")

    static let subject = ModelRuleSubject(
        title: "Names",
        rules: [
            invalid, duplicateEntity, duplicateProperty, reservedProperty, reservedEntity, entityCase, propertyCase,
            nearlyEqualEntities, nearlyEqualProperties,
        ],
        check: { checker in
            checkEntities(&checker)
            for entity in checker.outline.entities { checkProperties(of: entity, &checker) }
        })

    private static func checkEntities(_ checker: inout RuleViolationCollector) {
        var names = Set<String>()
        var folded: [String: String] = [:]
        for entity in checker.outline.entities {
            guard
                isName(
                    entity.name, checker: &checker,
                    report: { checker in
                        checker.report(
                            invalid, entity: entity,
                            message: entity.name.isEmpty ? "an entity has no name" : invalidText)
                    })
            else { continue }
            guard names.insert(entity.name).inserted else {
                checker.report(duplicateEntity, entity: entity, message: "is the name of two entities")
                continue
            }
            if reservedEntityNames.contains(entity.name) {
                checker.report(
                    reservedEntity, entity: entity,
                    message: "has the name of a class or word that Swift or the framework needs")
            }
            if entity.name.first?.isUppercase == false, entity.name.first?.isCased == true {
                checker.report(entityCase, entity: entity, message: "does not begin with a capital letter")
            }
            if let other = folded.updateValue(entity.name, forKey: entity.name.lowercased()) {
                checker.report(
                    nearlyEqualEntities, entity: entity,
                    message: "differs from the entity '\(other)' only in letter case")
            }
        }
    }

    private static let invalidText = "has a name with other characters than letters, digits and _"

    /// Whether a name is valid; reports it otherwise, except an empty name in a source, which the reader has reported.
    private static func isName(
        _ name: String, checker: inout RuleViolationCollector, report: (inout RuleViolationCollector) -> Void
    ) -> Bool {
        if ModelAssembly.isName(name) { return true }
        if !name.isEmpty || !checker.outline.isSource { report(&checker) }
        return false
    }

    private static func checkProperties(of entity: ModelOutline.Entity, _ checker: inout RuleViolationCollector) {
        var names = Set<String>()
        var folded: [String: String] = [:]
        for property in entity.properties {
            guard
                isName(
                    property.name, checker: &checker,
                    report: { checker in
                        if property.name.isEmpty {
                            checker.report(
                                invalid, entity: entity, message: "has a property without a name", place: property.place
                            )
                        } else {
                            checker.report(invalid, entity: entity, property: property, message: invalidText)
                        }
                    })
            else { continue }
            guard names.insert(property.name).inserted else {
                checker.report(
                    duplicateProperty, entity: entity, property: property, message: "is the name of two properties")
                continue
            }
            checkSpelling(of: property, entity, &checker)
            if let other = folded.updateValue(property.name, forKey: property.name.lowercased()) {
                checker.report(
                    nearlyEqualProperties, entity: entity, property: property,
                    message: "differs from the property '\(other)' only in letter case")
            }
        }
    }

    private static func checkSpelling(
        of property: ModelOutline.Property, _ entity: ModelOutline.Entity, _ checker: inout RuleViolationCollector
    ) {
        if reservedPropertyNames.contains(property.name) {
            checker.report(
                reservedProperty, entity: entity, property: property,
                message: "has a name that managed objects need themselves")
        }
        if property.name.first?.isUppercase == true {
            checker.report(propertyCase, entity: entity, property: property, message: "begins with a capital letter")
        }
    }
}
