import CoreDataFoundation

/// Rules about configurations.
enum ConfigurationRules {
    static let duplicate = ModelRule(
        "duplicate-configuration", severity: .error, statement: "Two configurations have the same name.",
        remedy: "Rename one of the configurations.", refusal: .always)
    static let unknown = ModelRule(
        "configuration-unknown-entity", severity: .error,
        statement: "A configuration names an entity that the model does not have.",
        remedy: "Name entities of the model only.", refusal: .always)
    static let empty = ModelRule(
        "empty-configuration", severity: .note, statement: "A configuration has no entities.",
        remedy: "Add entities, or remove the configuration.")
    static let split = ModelRule(
        "configuration-splits-relationship", severity: .warning,
        statement:
            "A relationship leads out of every configuration that its entity is in, so its ends cannot be in one store.",
        remedy: "Put both entities into one configuration, or use a fetched property.")
    static let splitInheritance = ModelRule(
        "configuration-splits-inheritance", severity: .warning,
        statement: "An entity and its parent have no configuration in common.",
        remedy: "Put both into one configuration: they share a table.")

    static let subject = ModelRuleSubject(
        title: "Configurations", rules: [duplicate, unknown, empty, split, splitInheritance], check: check)

    @Sendable private static func check(_ checker: inout RuleViolationCollector) {
        var names = Set<String>()
        var memberships: [Int: Set<Int>] = [:]
        for (configuration, outline) in checker.outline.configurations.enumerated() {
            if !names.insert(outline.name).inserted {
                checker.report(
                    duplicate, entity: nil, message: "there are two configurations named '\(outline.name)'",
                    place: outline.place)
            }
            if outline.members.isEmpty {
                checker.report(
                    empty, entity: nil, message: "configuration '\(outline.name)' has no entities", place: outline.place
                )
            }
            for member in outline.members {
                guard let number = checker.scope.number(of: member) else {
                    let hint = checker.suggestion(for: member, among: .entities)
                    let text = "configuration '\(outline.name)' names the unknown entity '\(member)'"
                    checker.report(unknown, entity: nil, message: text, place: outline.place, hint: hint)
                    continue
                }
                memberships[number, default: []].insert(configuration)
            }
        }
        guard !memberships.isEmpty else { return }
        checkSplits(memberships, &checker)
    }

    private static func checkSplits(_ memberships: [Int: Set<Int>], _ checker: inout RuleViolationCollector) {
        for (number, entity) in checker.outline.entities.enumerated() {
            guard let mine = memberships[number] else { continue }
            if let parent = checker.scope.parents[number], memberships[parent]?.isDisjoint(with: mine) ?? true {
                let name = checker.outline.entities[parent].name
                checker.report(
                    splitInheritance, entity: entity, message: "is in no configuration with its parent '\(name)'")
            }
            for property in entity.properties {
                guard let target = checker.scope.number(of: property.destination),
                    memberships[target]?.isDisjoint(with: mine) ?? true
                else { continue }
                let name = checker.outline.entities[target].name
                checker.report(
                    split, entity: entity, property: property,
                    message: "leads to '\(name)', which is in no configuration with it")
            }
        }
    }
}
