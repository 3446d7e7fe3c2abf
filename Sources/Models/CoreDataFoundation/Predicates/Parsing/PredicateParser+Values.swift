extension PredicateParser {
    /// Parses a value with its arithmetic, an assignment, or a predicate in parentheses.
    mutating func value() throws -> Operand {
        let left = try binary(minimumPrecedence: 1)
        guard token == .sign(":=") else { return left }
        guard case .expression(let target) = left, case .variable(let name) = target.form else {
            throw unexpected("a comparison; only a variable such as $x can stand before :=")
        }
        try advance()
        let value = try nested { try $0.expression { try $0.value() } }
        return .expression(NSExpression(.assignment(variable: name, value)))
    }

    private struct InfixOperator {
        let precedence: Int
        let make: (NSExpression, NSExpression) -> ExpressionForm

        static func function(_ precedence: Int, _ function: ExpressionFunction) -> InfixOperator {
            InfixOperator(precedence: precedence) { .function(function, arguments: [$0, $1]) }
        }

        static func set(_ operation: SetOperation) -> InfixOperator {
            InfixOperator(precedence: 1) { .set(operation, $0, $1) }
        }
    }

    private static func infixOperator(for token: PredicateToken) -> InfixOperator? {
        switch token {
        case .sign("|"): .function(2, .bitwiseOr)
        case .sign("^"): .function(3, .bitwiseXor)
        case .sign("&"): .function(4, .bitwiseAnd)
        case .sign("<<"): .function(5, .leftShift)
        case .sign(">>"): .function(5, .rightShift)
        case .sign("+"): .function(6, .add)
        case .sign("-"): .function(6, .subtract)
        case .sign("*"): .function(7, .multiply)
        case .sign("/"): .function(7, .divide)
        case .sign("%%"): .function(7, .modulus)
        case .sign("**"): .function(8, .power)
        case .word(let word): SetOperation(rawValue: word.uppercased()).map { .set($0) }
        default: nil
        }
    }

    /// Parses operators of at least a precedence; all are left-associative except the power.
    private mutating func binary(minimumPrecedence: Int) throws -> Operand {
        let place = start
        var left = try unary()
        while let infix = Self.infixOperator(for: token), infix.precedence >= minimumPrecedence {
            let leftExpression = try requireExpression(left, at: place)
            try countArithmetic()
            try advance()
            let next = infix.precedence == 8 ? 8 : infix.precedence + 1
            let right = try nested { try $0.expression { try $0.binary(minimumPrecedence: next) } }
            left = .expression(NSExpression(infix.make(leftExpression, right)))
        }
        return left
    }

    private mutating func countArithmetic() throws {
        arithmeticOperators += 1
        guard arithmeticOperators <= PredicateLimits.arithmeticOperators else {
            let limit = PredicateLimits.arithmeticOperators
            throw error(at: start, found: "too many operators", expected: "at most \(limit) arithmetic operators")
        }
    }

    private mutating func unary() throws -> Operand {
        if try skip("-") {
            return .expression(try negated(try nested { try $0.expression { try $0.unary() } }))
        }
        if try skip("~") {
            let operand = try nested { try $0.expression { try $0.unary() } }
            return .expression(NSExpression(.function(.onesComplement, arguments: [operand])))
        }
        return try postfix()
    }

    /// Negates an expression: a constant number becomes a constant, anything else is subtracted from 0.
    private func negated(_ expression: NSExpression) throws -> NSExpression {
        // Whether this is a constant number depends on an argument that is not known yet.
        if case .constant(is FormatPlaceholder) = expression.form { throw unexpected("a number") }
        if case .constant(let value) = expression.form, let number = ExactNumber(value), let negative = number.negated {
            return NSExpression(.constant(negative.value))
        }
        return NSExpression(.function(.subtract, arguments: [NSExpression(.constant(0)), expression]))
    }

    /// Parses a primary and the key paths and indexes that follow it.
    private mutating func postfix() throws -> Operand {
        let place = start
        var operand = try primary()
        while token == .sign(".") || token == .sign("[") {
            let base = try requireExpression(operand, at: place)
            operand = .expression(token == .sign("[") ? try indexed(base) : try continued(base))
        }
        return operand
    }

    private mutating func continued(_ base: NSExpression) throws -> NSExpression {
        var components: [String] = []
        while try skip(".") { components.append(try keyPathComponent()) }
        return base.appending(components.joined(separator: "."))
    }

    /// Parses an index in brackets after a collection.
    private mutating func indexed(_ base: NSExpression) throws -> NSExpression {
        // Each index nests the tree one level deeper, as an operator does.
        try countArithmetic()
        try advance()
        let index = try namedIndex() ?? nested { try $0.expression { try $0.value() } }
        try require("]")
        return NSExpression(.function(.element, arguments: [base, index]))
    }

    mutating func namedIndex() throws -> NSExpression? {
        guard case .word(let word) = token, let index = CollectionIndex(rawValue: word.uppercased()) else { return nil }
        try advance()
        return NSExpression(.constant(index))
    }

    private mutating func keyPathComponent() throws -> String {
        let component: String
        switch token {
        case .word(let name), .escapedWord(let name): component = name
        case .keyArgument: component = try keyPathArgument()
        default: throw unexpected("a key")
        }
        try advance()
        return component
    }

    /// Returns the argument of `%K`, which is a key or key path.
    mutating func keyPathArgument() throws -> String {
        let argument = try nextArgument(.key)
        guard let path = argument as? String, !path.isEmpty else {
            throw unsuitableArgument(argument, expected: "a key or key path")
        }
        return path
    }
}

extension NSExpression {
    /// Appends keys to the expression; after the evaluated object they are a key path without an operand.
    fileprivate func appending(_ path: String) -> NSExpression {
        switch form {
        case .evaluatedObject: NSExpression(.keyPath(operand: nil, path: path))
        case .keyPath(let operand, let start): NSExpression(.keyPath(operand: operand, path: start + "." + path))
        default: NSExpression(.keyPath(operand: self, path: path))
        }
    }
}
