import CoreDataFoundation

/// Rules about composites and the attributes that are made of them.
enum CompositeRules {
    /// How far composites may nest.
    static let greatestDepth = 16

    static let unknown = ModelRule(
        "unknown-composite", .error, "A composite attribute names a composite that the model does not have.",
        remedy: "Name a composite of the model.", refusal: .always)
    static let duplicate = ModelRule(
        "duplicate-composite", .error, "Two composites have the same name.",
        remedy: "Rename one of the composites.", refusal: .always)
    static let circle = ModelRule(
        "composite-cycle", .error, "A composite contains itself, or composites nest deeper than 16.",
        remedy: "Take the composite out of itself.", refusal: .always)
    static let elements = ModelRule(
        "composite-elements", .error, "A composite has two elements of one name, or one without a valid name or type.",
        remedy: "Give every element a name of its own and a type.")
    static let empty = ModelRule(
        "composite-without-elements", .warning, "A composite has no elements.",
        remedy: "Add an element, or remove the composite.")

    static let subject = ModelRuleSubject(
        title: "Composites", rules: [unknown, duplicate, circle, elements, empty], check: check)

    @Sendable private static func check(_ checker: inout RuleViolationCollector) {
        let outline = checker.outline
        var numbers: [String: Int] = [:]
        for (number, composite) in outline.composites.enumerated() {
            if numbers[composite.name] != nil {
                checker.report(
                    duplicate, nil, "there are two composites named '\(composite.name)'", place: composite.place)
            } else {
                numbers[composite.name] = number
            }
            if composite.elements.isEmpty {
                checker.report(empty, nil, "the composite '\(composite.name)' has no elements", place: composite.place)
            }
        }
        checkUses(numbers, &checker)
        checkCircles(numbers, &checker)
    }

    private static func checkUses(_ numbers: [String: Int], _ checker: inout RuleViolationCollector) {
        checker.forEachProperty { checker, _, entity, property in
            guard let composite = property.attribute as? NSCompositeAttributeDescription else { return }
            guard checker.outline.isSource else {
                return checkElements(composite.elements, of: property, entity, &checker)
            }
            let name = composite.compositeName ?? ""
            guard numbers[name] == nil else { return }
            let hint = checker.suggestion(for: name, among: .names(Array(numbers.keys)))
            checker.report(unknown, entity, property, "names the unknown composite '\(name)'", hint: hint)
        }
        for composite in checker.outline.composites {
            for element in composite.elements {
                guard let inner = element.attribute as? NSCompositeAttributeDescription else { continue }
                guard let name = inner.compositeName, numbers[name] != nil else {
                    let text =
                        "the composite '\(composite.name)' names the unknown composite '\(inner.compositeName ?? "")'"
                    checker.report(unknown, nil, text, place: element.place)
                    continue
                }
            }
            var names = Set<String>()
            for element in composite.elements where !isElement(element.description, &names) {
                let text = "the composite '\(composite.name)' has the wrong or repeated element '\(element.name)'"
                checker.report(elements, nil, text, place: element.place)
            }
        }
    }

    private static func checkElements(
        _ parts: [NSAttributeDescription], of property: ModelOutline.Property, _ entity: ModelOutline.Entity,
        _ checker: inout RuleViolationCollector
    ) {
        if parts.isEmpty { checker.report(empty, entity, property, "is a composite without elements") }
        var names = Set<String>()
        for part in parts where !isElement(part, &names) {
            checker.report(elements, entity, property, "has the wrong or repeated element '\(part.name)'")
        }
    }

    private static func isElement(_ part: NSPropertyDescription, _ names: inout Set<String>) -> Bool {
        let isTyped = (part as? NSAttributeDescription)?.attributeType != .undefinedAttributeType
        return isTyped && ModelAssembly.isName(part.name) && names.insert(part.name).inserted
    }

    /// Follows the composites in composites without going into one twice.
    private static func checkCircles(_ numbers: [String: Int], _ checker: inout RuleViolationCollector) {
        let composites = checker.outline.composites
        let inner = composites.map { composite in
            composite.elements.compactMap {
                ($0.attribute as? NSCompositeAttributeDescription)?.compositeName.flatMap { numbers[$0] }
            }
        }
        // Composites without inner ones are taken off again and again; what is left after the depth is circular or too deep.
        var open = Set(composites.indices)
        for _ in 0..<greatestDepth {
            let closed = open.filter { inner[$0].allSatisfy { !open.contains($0) } }
            guard !closed.isEmpty else { break }
            open.subtract(closed)
        }
        for number in open.sorted() {
            let composite = composites[number]
            checker.report(circle, nil, "the composite '\(composite.name)' contains itself", place: composite.place)
        }
    }
}
