extension PredicateParser {
    /// Parses `a OR b OR …` to a single compound predicate, however long the chain is.
    mutating func disjunction() throws -> Operand {
        try chain(of: { try $0.conjunction() }, keyword: "OR", sign: "||", type: .or)
    }

    private mutating func conjunction() throws -> Operand {
        try chain(of: { try $0.negation() }, keyword: "AND", sign: "&&", type: .and)
    }

    private mutating func chain(
        of part: (inout PredicateParser) throws -> Operand, keyword: String, sign: String,
        type: NSCompoundPredicate.LogicalType
    ) throws -> Operand {
        let first = try part(&self)
        guard isKeyword(keyword) || token == .sign(sign) else { return first }
        var parts = [try requirePredicate(first)]
        while isKeyword(keyword) || token == .sign(sign) {
            try advance()
            parts.append(try predicate(part))
        }
        return .predicate(NSCompoundPredicate(type: type, subpredicates: parts))
    }

    private mutating func negation() throws -> Operand {
        guard isKeyword("NOT") || token == .sign("!") else { return try comparison() }
        try advance()
        let operand = try nested { try $0.predicate { try $0.negation() } }
        return .predicate(NSCompoundPredicate(type: .not, subpredicates: [operand]))
    }
}

extension PredicateParser {
    private enum Quantifier: String {
        case any = "ANY"
        case some = "SOME"
        case all = "ALL"
        case none = "NONE"

        var modifier: NSComparisonPredicate.Modifier { self == .all ? .all : .any }
    }

    private mutating func comparison() throws -> Operand {
        if let constant = try constantPredicate() { return .predicate(constant) }
        let quantifier = try quantifier()
        let place = start
        let left = try value()
        guard case .expression(let leftExpression) = left else {
            guard quantifier == nil else { throw error(at: place, found: "a predicate", expected: "a collection") }
            return left
        }
        guard let comparison = try comparisonOperator() else {
            guard quantifier == nil else { throw missingComparison() }
            return left
        }
        let options = try comparisonOptions()
        let rightPlace = start
        let right = try bounds(expression { try $0.value() }, of: comparison, at: rightPlace)
        return .predicate(
            predicate(quantifier, left: leftExpression, comparison: comparison, options: options, right: right))
    }

    /// Converts a Swift range to a list of its bounds; throws unless the operator is `BETWEEN` and the range closed.
    private func bounds(
        _ right: NSExpression, of comparison: NSComparisonPredicate.Operator, at place: Int
    ) throws -> NSExpression {
        guard case .constant(let range as any BoundedRange) = right.form else { return right }
        guard comparison == .between, let bounds = range.bounds else {
            let expected = "a list of values, or BETWEEN with a closed range such as 1...5"
            throw error(at: place, found: "an argument of type \(type(of: range))", expected: expected)
        }
        return NSExpression(
            .aggregate([bounds.low, bounds.high].map { NSExpression(.constant(FormatValue.constant(of: $0))) }))
    }

    private func predicate(
        _ quantifier: Quantifier?, left: NSExpression, comparison: NSComparisonPredicate.Operator,
        options: NSComparisonPredicate.Options, right: NSExpression
    ) -> NSPredicate {
        let predicate = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: quantifier?.modifier ?? .direct, type: comparison,
            options: options)
        guard quantifier == Quantifier.none else { return predicate }
        return NSCompoundPredicate(type: .not, subpredicates: [predicate])
    }

    private mutating func constantPredicate() throws -> NSPredicate? {
        let value = isKeyword("TRUEPREDICATE")
        guard value || isKeyword("FALSEPREDICATE") else { return nil }
        try advance()
        return ConstantPredicate(value: value)
    }

    private mutating func quantifier() throws -> Quantifier? {
        guard case .word(let text) = token, let quantifier = Quantifier(rawValue: text.uppercased()) else { return nil }
        try advance()
        return quantifier
    }

    /// An error for a value without a comparison after it.
    func missingComparison() -> PredicateParseError {
        unexpected("a comparison such as == or IN", insteadOf: Self.wordOperators.keys + Self.setOperators)
    }

    private mutating func comparisonOperator() throws -> NSComparisonPredicate.Operator? {
        let found: NSComparisonPredicate.Operator?
        switch token {
        case .sign(let sign): found = Self.signOperators[sign]
        case .word(let word): found = Self.wordOperators[word.uppercased()]
        default: found = nil
        }
        if found != nil { try advance() }
        return found
    }

    private static let signOperators: [String: NSComparisonPredicate.Operator] = [
        "==": .equalTo, "=": .equalTo, "!=": .notEqualTo, "<>": .notEqualTo, "<": .lessThan, "<=": .lessThanOrEqualTo,
        "=<": .lessThanOrEqualTo, ">": .greaterThan, ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo,
    ]

    private static let setOperators = ["UNION", "INTERSECT", "MINUS"]

    private static let wordOperators: [String: NSComparisonPredicate.Operator] = [
        "IN": .in, "BETWEEN": .between, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains,
        "LIKE": .like, "MATCHES": .matches,
    ]

    /// Parses the letters in brackets after an operator.
    private mutating func comparisonOptions() throws -> NSComparisonPredicate.Options {
        guard try skip("[") else { return [] }
        guard case .word(let letters) = token else { throw unexpected("c, d, cd, n or l") }
        var options: NSComparisonPredicate.Options = []
        for letter in letters {
            guard let option = Self.optionLetters[Character(letter.lowercased())] else {
                throw unexpected("c, d, cd, n or l")
            }
            options.insert(option)
        }
        try advance()
        try require("]")
        return options
    }

    private static let optionLetters: [Character: NSComparisonPredicate.Options] = [
        "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
    ]
}
