import CoreDataFoundation

/// Rules about composites and the attributes that are made of them.
enum CompositeRules {
    /// The deepest nesting of composites.
    static let greatestDepth = 16

    static let unknown = ModelRule(
        "unknown-composite", severity: .error,
        statement: "A composite attribute names a composite that the model does not have.",
        remedy: "Name a composite of the model.", refusal: .always)
    static let duplicate = ModelRule(
        "duplicate-composite", severity: .error, statement: "Two composites have the same name.",
        remedy: "Rename one of the composites.", refusal: .always)
    static let circle = ModelRule(
        "composite-cycle", severity: .error,
        statement: "A composite contains itself, or composites nest deeper than 16.",
        remedy: "Take the composite out of itself.", refusal: .always)
    static let elements = ModelRule(
        "composite-elements", severity: .error,
        statement: "A composite has two elements of one name, or one without a valid name or type.",
        remedy: "Give every element a name of its own and a type.")
    static let empty = ModelRule(
        "composite-without-elements", severity: .warning, statement: "A composite has no elements.",
        remedy: "Add an element, or remove the composite.")

    static let subject = ModelRuleSubject(
        title: "Composites", rules: [unknown, duplicate, circle, elements, empty], check: check)

    @Sendable private static func check(_ checker: inout RuleViolationCollector) {
        let outline = checker.outline
        var numbers: [String: Int] = [:]
        for (number, composite) in outline.composites.enumerated() {
            if numbers[composite.name] != nil {
                checker.report(
                    duplicate, entity: nil, message: "there are two composites named '\(composite.name)'",
                    place: composite.place)
            } else {
                numbers[composite.name] = number
            }
            if composite.elements.isEmpty {
                checker.report(
                    empty, entity: nil, message: "the composite '\(composite.name)' has no elements",
                    place: composite.place)
            }
        }
        checkUses(numbers, &checker)
        checkCircles(numbers, &checker)
    }

    private static func checkUses(_ numbers: [String: Int], _ checker: inout RuleViolationCollector) {
        checker.forEachProperty { checker, _, entity, property in
            guard let composite = property.attribute as? NSCompositeAttributeDescription else { return }
            guard checker.outline.isSource else {
                return checkElements(composite.elements, of: property, entity: entity, checker: &checker)
            }
            let name = composite.compositeName ?? ""
            guard numbers[name] == nil else { return }
            let hint = checker.suggestion(for: name, among: .names(Array(numbers.keys)))
            checker.report(
                unknown, entity: entity, property: property, message: "names the unknown composite '\(name)'",
                hint: hint)
        }
        for composite in checker.outline.composites {
            for element in composite.elements {
                guard let inner = element.attribute as? NSCompositeAttributeDescription else { continue }
                guard let name = inner.compositeName, numbers[name] != nil else {
                    let text =
                        "the composite '\(composite.name)' names the unknown composite '\(inner.compositeName ?? "")'"
                    checker.report(unknown, entity: nil, message: text, place: element.place)
                    continue
                }
            }
            var names = Set<String>()
            for element in composite.elements where !isElement(element.description, &names) {
                let text = "the composite '\(composite.name)' has the wrong or repeated element '\(element.name)'"
                checker.report(elements, entity: nil, message: text, place: element.place)
            }
        }
    }

    private static func checkElements(
        _ parts: [NSAttributeDescription], of property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        if parts.isEmpty {
            checker.report(empty, entity: entity, property: property, message: "is a composite without elements")
        }
        var names = Set<String>()
        for part in parts where !isElement(part, &names) {
            checker.report(
                elements, entity: entity, property: property,
                message: "has the wrong or repeated element '\(part.name)'")
        }
    }

    private static func isElement(_ part: NSPropertyDescription, _ names: inout Set<String>) -> Bool {
        let isTyped = (part as? NSAttributeDescription)?.attributeType != .undefinedAttributeType
        return isTyped && ModelAssembly.isName(part.name) && names.insert(part.name).inserted
    }

    /// Reports composites that contain themselves or nest too deep.
    private static func checkCircles(_ numbers: [String: Int], _ checker: inout RuleViolationCollector) {
        let composites = checker.outline.composites
        let inner = composites.map { composite in
            composite.elements.compactMap {
                ($0.attribute as? NSCompositeAttributeDescription)?.compositeName.flatMap { numbers[$0] }
            }
        }
        // In each round, composites without inner ones are removed; those left after the last round are circular or too
        // deep.
        var open = Set(composites.indices)
        for _ in 0..<greatestDepth {
            let closed = open.filter { inner[$0].allSatisfy { !open.contains($0) } }
            guard !closed.isEmpty else { break }
            open.subtract(closed)
        }
        for number in open.sorted() {
            let composite = composites[number]
            checker.report(
                circle, entity: nil, message: "the composite '\(composite.name)' contains itself",
                place: composite.place)
        }
    }
}
