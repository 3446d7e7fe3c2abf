import CoreDataFoundation

/// Rules about the limits of attributes' values and about default values.
enum LimitRules {
    static let reversed = ModelRule(
        "minimum-above-maximum", severity: .error, statement: "The least value or length is greater than the greatest.",
        remedy: "Exchange or correct the two limits.")
    static let negativeLength = ModelRule(
        "negative-length", severity: .error, statement: "A limit of a text's length is negative.",
        remedy: "Use a length of at least 0.")
    static let pattern = ModelRule(
        "invalid-pattern", severity: .error, statement: "A regular expression cannot be understood.",
        remedy: "Correct the regular expression.")
    static let brokenDefault = ModelRule(
        "default-breaks-rule", severity: .error, statement: "A default value breaks a rule of its own attribute.",
        remedy: "Change the default or the rule.")
    static let otherType = ModelRule(
        "limit-on-type", severity: .warning,
        statement: "A limit is set for a type whose values have no order or length.",
        remedy: "Remove the limit.")

    static let defaultType = ModelRule(
        "default-type", severity: .warning, statement: "A default value is none of the attribute's type.",
        remedy: "Write a default that the type allows, or change the type.")
    static let limitType = ModelRule(
        "limit-type", severity: .warning, statement: "A limit is no number, or no length, and limits nothing.",
        remedy: "Write a limit that the type allows, or remove it.")

    static let subject = ModelRuleSubject(
        title: "Limits and defaults",
        rules: [reversed, negativeLength, pattern, brokenDefault, otherType, defaultType, limitType],
        check: { checker in
            var effort = PatternEffort()
            for composite in checker.outline.composites {
                for element in composite.elements { checkTexts(element, in: composite, &checker) }
            }
            checker.forEachProperty { checker, _, entity, property in
                guard let attribute = property.attribute else { return }
                for (rule, message) in unfit(attribute) {
                    checker.report(rule, entity: entity, property: property, message: message)
                }
                guard !attribute.validationRules.isEmpty else { return }
                checkLimits(attribute, property: property, entity: entity, checker: &checker)
                checkDefault(attribute, property: property, entity: entity, effort: &effort, checker: &checker)
            }
        })

    private static func checkTexts(
        _ element: ModelOutline.Property, in composite: ModelOutline.Composite, _ checker: inout RuleViolationCollector
    ) {
        guard let attribute = element.attribute else { return }
        for (rule, message) in unfit(attribute) {
            checker.report(
                rule, entity: nil, message: "'\(composite.name).\(attribute.name)' \(message)", place: element.place)
        }
    }

    /// The findings for texts of defaults and limits that do not fit the attribute's type, in the order of their keys.
    private static func unfit(_ attribute: NSAttributeDescription) -> [(ModelRule, String)] {
        attribute.unfitTexts.sorted { $0.key < $1.key }.map { key, text in
            guard key.hasPrefix("default") else {
                return (limitType, "has the limit '\(text)', which its type does not allow and which is left out")
            }
            let value = attribute.defaultValue.map { "it is read as \($0)" } ?? "it has none then"
            return (defaultType, "has the default '\(text)', which its type does not allow; \(value)")
        }
    }

    private static func checkLimits(
        _ attribute: NSAttributeDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        let limits = Limits(attribute.validationRules)
        if limits.areReversed {
            checker.report(
                reversed, entity: entity, property: property, message: "has a least value or length above the greatest")
        }
        if limits.hasNegativeLength {
            checker.report(
                negativeLength, entity: entity, property: property, message: "has a negative length for a limit")
        }
        for text in limits.patterns where !isPattern(text) {
            checker.report(
                pattern, entity: entity, property: property,
                message: "has a regular expression that cannot be understood")
        }
        if limits.hasNumbers, !takesNumbers(attribute.attributeType) {
            checker.report(
                otherType, entity: entity, property: property,
                message: "has a least or greatest value, which its type does not use")
        }
    }

    private static func checkDefault(
        _ attribute: NSAttributeDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        effort: inout PatternEffort, checker: inout RuleViolationCollector
    ) {
        guard let value = attribute.defaultValue else { return }
        for rule in attribute.validationRules where breaks(value, rule: rule, effort: &effort) {
            checker.report(
                brokenDefault, entity: entity, property: property, message: "has a default that \(text(rule))")
        }
    }

    /// Whether a value breaks a rule.
    ///
    /// The rule's predicate is not evaluated: for a hostile model that would stop the process if types cannot be
    /// compared.
    private static func breaks(_ value: Any, rule: ValidationRule, effort: inout PatternEffort) -> Bool {
        switch rule.check {
        case .minimum(let limit): order(value, limit) == .orderedAscending
        case .maximum(let limit): order(value, limit) == .orderedDescending
        case .earliest(let limit): (value as? Date).map { $0 < limit } ?? false
        case .latest(let limit): (value as? Date).map { $0 > limit } ?? false
        case .minimumLength(let limit): (value as? String).map { $0.utf16.count < limit } ?? false
        case .maximumLength(let limit): (value as? String).map { $0.utf16.count > limit } ?? false
        case .pattern(let pattern): (value as? String).map { effort.isRefused($0, by: pattern) } ?? false
        case .predicate: false
        }
    }

    private static func order(_ value: Any, _ limit: Decimal) -> ComparisonResult? {
        guard let number = ExactNumber(value), let other = ExactNumber(NSDecimalNumber(decimal: limit)) else {
            return nil
        }
        return number.order(to: other)
    }

    private static func text(_ rule: ValidationRule) -> String {
        switch rule.check {
        case .minimum: "is less than its least value"
        case .maximum: "is greater than its greatest value"
        case .earliest: "is before its earliest date"
        case .latest: "is after its latest date"
        case .minimumLength: "is shorter than its least length"
        case .maximumLength: "is longer than its greatest length"
        case .pattern: "its regular expression does not match"
        case .predicate: "breaks its rule"
        }
    }

    private static func isPattern(_ text: String) -> Bool { (try? NSRegularExpression(pattern: text)) != nil }

    private static func takesNumbers(_ type: NSAttributeType) -> Bool {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType, .dateAttributeType, .stringAttributeType:
            true
        default: false
        }
    }
}

/// The limits among an attribute's rules.
private struct Limits {
    private(set) var areReversed = false
    private(set) var hasNegativeLength = false
    private(set) var hasNumbers = false
    private(set) var patterns: [String] = []

    init(_ rules: [ValidationRule]) {
        var numbers: (Decimal?, Decimal?)
        var dates: (Date?, Date?)
        var lengths: (Int?, Int?)
        for rule in rules {
            switch rule.check {
            case .minimum(let limit): numbers.0 = limit
            case .maximum(let limit): numbers.1 = limit
            case .earliest(let limit): dates.0 = limit
            case .latest(let limit): dates.1 = limit
            case .minimumLength(let limit): lengths.0 = limit
            case .maximumLength(let limit): lengths.1 = limit
            case .pattern(let pattern): patterns.append(pattern)
            case .predicate: break
            }
        }
        areReversed = Self.reversed(numbers) || Self.reversed(dates) || Self.reversed(lengths)
        hasNegativeLength = (lengths.0 ?? 0) < 0 || (lengths.1 ?? 0) < 0
        hasNumbers = numbers.0 != nil || numbers.1 != nil
    }

    private static func reversed<Limit: Comparable>(_ limits: (Limit?, Limit?)) -> Bool {
        guard let least = limits.0, let greatest = limits.1 else { return false }
        return least > greatest
    }
}

/// Bounds the time for the patterns of a model: after two that were too expensive, no pattern is tried.
private struct PatternEffort {
    private var remaining = 2

    /// Whether a text certainly does not match a pattern; false for a pattern that does not parse, which is another
    /// finding.
    mutating func isRefused(_ text: String, by pattern: String) -> Bool {
        guard remaining > 0 else { return false }
        do {
            return try !PatternMatcher.matcher(for: pattern, options: []).matches(text)
        } catch ExpressionError.patternTooExpensive {
            remaining -= 1
        } catch {}
        return false
    }
}
