import CoreDataFoundation

/// Writes an archived predicate or expression in the format language, so that no predicate class is instantiated.
///
/// The archive may share parts or contain itself, so depth and the number of parts are bounded; what exceeds the bounds or is
/// not known makes the whole text nil. Source: compiled models that Apple's tools wrote.
struct ArchivedPredicate {
    private static let greatestDepth = 64

    private let archive: KeyedArchive
    private var remaining = 20_000

    init(_ archive: KeyedArchive) { self.archive = archive }

    private mutating func enter(_ value: PropertyList?, _ depth: Int) -> KeyedArchive.Object? {
        remaining -= 1
        guard depth < Self.greatestDepth, remaining > 0 else { return nil }
        return archive.object(value)
    }

    // MARK: Predicates

    mutating func format(_ value: PropertyList?, depth: Int = 0) -> String? {
        guard let object = enter(value, depth) else { return nil }
        switch object.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSComparisonPredicate": return comparison(object, depth)
        case "NSCompoundPredicate": return compound(object, depth)
        default: return nil
        }
    }

    private mutating func compound(_ object: KeyedArchive.Object, _ depth: Int) -> String? {
        var parts: [String] = []
        for value in archive.elements(object.fields["NSSubpredicates"]) ?? [] {
            guard let part = format(value, depth: depth + 1) else { return nil }
            parts.append(archive.object(value)?.className == "NSCompoundPredicate" ? "(\(part))" : part)
        }
        switch archive.integer(object.fields["NSCompoundPredicateType"]) {
        case 0: return parts.first.map { $0.hasPrefix("(") ? "NOT \($0)" : "NOT (\($0))" }
        case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
        case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
        default: return nil
        }
    }

    private static let operators: [Int: String] = [
        0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
        10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]

    private mutating func comparison(_ object: KeyedArchive.Object, _ depth: Int) -> String? {
        guard let left = expression(object.fields["NSLeftExpression"], depth: depth + 1),
            let right = expression(object.fields["NSRightExpression"], depth: depth + 1),
            let test = archive.object(object.fields["NSPredicateOperator"]),
            let type = archive.integer(test.fields["NSOperatorType"]), let symbol = Self.operators[type]
        else { return nil }
        let options = archive.integer(test.fields["NSFlags"]) ?? archive.integer(test.fields["NSOptions"]) ?? 0
        let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { options & $0.0 != 0 }.map(\.1).joined()
        let suffix = letters.isEmpty || type < 4 ? "" : "[\(letters)]"
        switch archive.integer(test.fields["NSModifier"]) ?? 0 {
        case 1: return "ALL \(left) \(symbol)\(suffix) \(right)"
        case 2: return "ANY \(left) \(symbol)\(suffix) \(right)"
        default: return "\(left) \(symbol)\(suffix) \(right)"
        }
    }

    // MARK: Expressions

    mutating func expression(_ value: PropertyList?, depth: Int = 0) -> String? {
        guard let object = enter(value, depth) else { return nil }
        let fields = object.fields
        switch object.className {
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return archive.string(fields["NSVariable"]).map { "$" + $0 }
        case "NSConstantValueExpression": return constant(fields)
        case "NSKeyPathSpecifierExpression": return archive.string(fields["NSKeyPath"]).map(Self.escapedPath)
        case "NSKeyPathExpression": return keyPath(fields, depth)
        case "NSFunctionExpression": return function(fields, depth)
        case "NSAggregateExpression": return expressions(fields["NSCollection"], depth).map { "{\($0)}" }
        case "NSSubqueryExpression": return subquery(fields, depth)
        default: return nil
        }
    }

    private mutating func expressions(_ value: PropertyList?, _ depth: Int) -> String? {
        var parts: [String] = []
        for element in archive.elements(value) ?? [] {
            guard let part = expression(element, depth: depth + 1) else { return nil }
            parts.append(part)
        }
        return parts.joined(separator: ", ")
    }

    private mutating func keyPath(_ fields: [String: PropertyList], _ depth: Int) -> String? {
        guard let path = expressions(fields["NSArguments"], depth) else { return nil }
        guard let operand = expression(fields["NSOperand"], depth: depth + 1) else { return nil }
        return operand == "SELF" ? path : "\(operand).\(path)"
    }

    private mutating func function(_ fields: [String: PropertyList], _ depth: Int) -> String? {
        guard let selector = archive.string(fields["NSSelectorName"]),
            let arguments = expressions(fields["NSArguments"], depth)
        else { return nil }
        let operand = archive.object(fields["NSOperand"])
        if operand == nil || operand?.fields["NSConstantValueClassName"] != nil { return "\(selector)(\(arguments))" }
        guard let target = expression(fields["NSOperand"], depth: depth + 1) else { return nil }
        let rest = arguments.isEmpty ? "" : ", " + arguments
        return "FUNCTION(\(target), \(Self.quoted(selector))\(rest))"
    }

    private mutating func subquery(_ fields: [String: PropertyList], _ depth: Int) -> String? {
        guard let collection = expression(fields["NSExpression"], depth: depth + 1),
            let variable = archive.string(fields["NSVariable"]),
            let predicate = format(fields["NSPredicate"], depth: depth + 1)
        else { return nil }
        return "SUBQUERY(\(collection), $\(variable), \(predicate))"
    }

    private func constant(_ fields: [String: PropertyList]) -> String? {
        guard let value = archive.plainValue(fields["NSConstantValue"], as: .undefinedAttributeType) else {
            let isNil = archive.resolve(fields["NSConstantValue"]) == .null
            return isNil && fields["NSConstantValueClassName"] == nil ? "nil" : nil
        }
        switch (archive.resolve(fields["NSConstantValue"]), value) {
        case (.boolean(let flag), _): return flag ? "TRUE" : "FALSE"
        case (_, let number as NSNumber): return number.description
        case (_, let text as String): return Self.quoted(text)
        case (_, let date as Date): return "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
        default: return nil
        }
    }

    // MARK: Words

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\r", with: "\\r")
            .replacingOccurrences(of: "\t", with: "\\t")
        return "\"\(escaped)\""
    }

    /// Words of the language that a key may be spelled like; the language marks such a key with `#`.
    private static let words: Set<String> = [
        "ALL", "AND", "ANY", "ANYKEY", "BEGINSWITH", "BETWEEN", "CAST", "CONTAINS", "ENDSWITH", "FALSE",
        "FALSEPREDICATE", "FIRST", "FUNCTION", "IN", "LAST", "LIKE", "MATCHES", "NIL", "NO", "NONE", "NOT", "NULL",
        "OR", "SELF", "SIZE", "SOME", "SUBQUERY", "TERNARY", "TRUE", "TRUEPREDICATE", "YES",
    ]

    private static func escapedPath(_ path: String) -> String {
        path.split(separator: ".", omittingEmptySubsequences: false)
            .map { words.contains($0.uppercased()) ? "#\($0)" : String($0) }.joined(separator: ".")
    }
}

extension KeyedArchive {
    /// The predicate in the format language; nil for none and for one that cannot be written so.
    func predicateFormat(_ value: PropertyList?) -> String? {
        var predicate = ArchivedPredicate(self)
        return predicate.format(value)
    }

    /// The expression in the format language, with its functions as selectors: `count:(pages)`.
    func expressionText(_ value: PropertyList?) -> String? {
        var predicate = ArchivedPredicate(self)
        return predicate.expression(value)
    }
}
