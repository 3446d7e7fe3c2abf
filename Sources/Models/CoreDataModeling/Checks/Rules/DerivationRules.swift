import CoreDataFoundation

/// Rules about the expressions of derived attributes.
enum DerivationRules {
    static let missing = ModelRule(
        "derivation-missing", severity: .error, statement: "A derived attribute has no expression.",
        remedy: "Write the expression, or make the attribute a plain one.")
    static let unsupported = ModelRule(
        "derivation-unsupported", severity: .error,
        statement: "The expression of a derived attribute is none that a store can keep up to date.",
        remedy:
            "Use a key path, '@count' or '@sum' of a to-many relationship, 'canonical:', 'uppercase:', 'lowercase:' or 'now()'."
    )
    static let unknownKey = ModelRule(
        "derivation-unknown-key", severity: .error,
        statement: "A derivation names a key that its entity does not have.",
        remedy: "Name a property of the entity.")
    static let meaning = ModelRule(
        "derivation-meaning", severity: .error,
        statement: "A derivation cannot be applied to the property that it names.",
        remedy:
            "Count or sum over a to-many relationship, sum numbers, fold texts, and copy along to-one relationships.")
    static let type = ModelRule(
        "derivation-type", severity: .warning,
        statement: "The type of a derived attribute is not the type of its derivation.",
        remedy: "Give the attribute the type of the derivation's values.")

    static let subject = ModelRuleSubject(
        title: "Derived attributes", rules: [missing, unsupported, unknownKey, meaning, type],
        check: { checker in
            checker.forEachProperty { checker, number, entity, property in
                guard let derived = property.description as? NSDerivedAttributeDescription else { return }
                guard let text = derived.derivationText, !text.isEmpty else {
                    return checker.report(missing, entity: entity, property: property, message: "has no derivation")
                }
                var check = DerivationCheck(property: property, entity: entity, number: number)
                check.run(Derivation(text: text), type: derived.attributeType, &checker)
            }
        })
}

/// The check of one derivation.
private struct DerivationCheck {
    let property: ModelOutline.Property
    let entity: ModelOutline.Entity
    let number: Int

    mutating func run(_ derivation: Derivation, type: NSAttributeType, _ checker: inout RuleViolationCollector) {
        switch derivation {
        case .now: expect(type == .dateAttributeType, text: "a date", checker: &checker)
        case .count(let relationship):
            guard toMany(relationship, &checker) != nil else { return }
            expect(type.isNumeric && type != .dateAttributeType, text: "a number", checker: &checker)
        case .aggregate(let aggregate, let relationship, let key):
            check(aggregate, relationship: relationship, key: key, type: type, checker: &checker)
        case .copy(let path):
            guard let attribute = attribute(at: path, &checker) else { return }
            expect(attribute.attributeType == type, text: "that of '\(path.joined(separator: "."))'", checker: &checker)
        case .function(let name, let path):
            guard let attribute = attribute(at: path, &checker) else { return }
            guard attribute.attributeType == .stringAttributeType else {
                return wrong("asks for '\(name)' of '\(path.joined(separator: "."))', which is no text", &checker)
            }
            expect(type == .stringAttributeType, text: "a text", checker: &checker)
        case .other:
            checker.report(
                DerivationRules.unsupported, entity: entity, property: property,
                message: "has a derivation that no store can keep")
        }
    }

    private func check(
        _ aggregate: Derivation.Aggregate, relationship: String, key: String, type: NSAttributeType,
        checker: inout RuleViolationCollector
    ) {
        guard let target = toMany(relationship, &checker) else { return }
        guard let found = checker.scope.property(key, of: target)?.property else {
            return unknown(key, owner: target, checker: &checker)
        }
        let source = found.attribute?.attributeType
        if [.least, .greatest].contains(aggregate), source == .dateAttributeType {
            return expect(type == .dateAttributeType, text: "a date", checker: &checker)
        }
        guard let source, source.isNumeric, source != .dateAttributeType else {
            return wrong(
                "computes \(aggregate.rawValue) of '\(relationship).\(key)', which is no number", &checker)
        }
        expect(type.isNumeric && type != .dateAttributeType, text: "a number", checker: &checker)
    }

    /// The destination of a to-many relationship; reports a finding and returns nil if there is none.
    private func toMany(_ name: String, _ checker: inout RuleViolationCollector) -> Int? {
        guard let found = checker.scope.property(name, of: number)?.property else {
            unknown(name, owner: number, checker: &checker)
            return nil
        }
        guard found.relationship?.isToMany == true else {
            wrong("counts or sums over '\(name)', which is no to-many relationship", &checker)
            return nil
        }
        return checker.scope.number(of: found.destination)
    }

    /// The attribute at the end of a path of to-one relationships; reports a finding and returns nil if there is none.
    private func attribute(at path: [String], _ checker: inout RuleViolationCollector) -> NSAttributeDescription? {
        var owner = number
        for (step, key) in path.enumerated() {
            guard let found = checker.scope.property(key, of: owner)?.property else {
                unknown(key, owner: owner, checker: &checker)
                return nil
            }
            if step == path.count - 1 {
                guard let attribute = found.attribute else { break }
                return attribute
            }
            guard let relationship = found.relationship, !relationship.isToMany else { break }
            // An unknown destination is a separate finding.
            guard let next = checker.scope.number(of: found.destination) else { return nil }
            owner = next
        }
        wrong(
            "follows '\(path.joined(separator: "."))', which leads to no attribute over to-one relationships", &checker)
        return nil
    }

    private func unknown(_ key: String, owner: Int, checker: inout RuleViolationCollector) {
        let hint = checker.suggestion(for: key, among: .properties(of: owner))
        let text =
            "has a derivation that names the key '\(key)', which '\(checker.outline.entities[owner].name)' does not have"
        checker.report(DerivationRules.unknownKey, entity: entity, property: property, message: text, hint: hint)
    }

    private func wrong(_ text: String, _ checker: inout RuleViolationCollector) {
        checker.report(
            DerivationRules.meaning, entity: entity, property: property, message: "has a derivation that \(text)")
    }

    private func expect(_ isRight: Bool, text: String, checker: inout RuleViolationCollector) {
        guard !isRight else { return }
        checker.report(
            DerivationRules.type, entity: entity, property: property,
            message: "has a derivation whose type would be \(text)")
    }
}
