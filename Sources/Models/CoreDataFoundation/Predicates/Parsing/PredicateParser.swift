/// Parses format strings by recursive descent with precedence, one token ahead, in time linear in the length.
///
/// Invariants:
/// 1. A parenthesis is parsed once: its contents decide whether it is a predicate or an expression, without
///    backtracking.
/// 2. Every recursion passes through `nested`, which bounds the depth.
/// 3. No name in the text selects code: only predefined functions are called; selectors and classes are not supported.
package struct PredicateParser {
    /// An operand of an operator: `(a + b)` is an expression, `(a > b)` a predicate.
    enum Operand {
        case predicate(NSPredicate)
        case expression(NSExpression)
    }

    private var tokenizer: PredicateTokenizer
    private var arguments: PredicateArguments
    private(set) var token = PredicateToken.end
    private(set) var start = 0
    private var depth = 0
    var arithmeticOperators = 0

    private init(_ format: String, _ arguments: PredicateArguments) throws {
        tokenizer = try PredicateTokenizer(format)
        self.arguments = arguments
        try advance()
    }

    /// Parses the predicate of a format string and reports warnings.
    ///
    /// - Throws: `PredicateParseError`.
    package static func predicate(from format: String, arguments: [Any?]) throws -> NSPredicate {
        let (predicate, warnings) = try predicateAndWarnings(from: format, arguments: arguments)
        report(warnings)
        return predicate
    }

    /// Reports warnings about probable mistakes in a format string.
    static func report(_ warnings: [String]) {
        for warning in warnings { CoreDataLogging.report(.warning, warning, prefix: "") }
    }

    /// Makes a template of a format string; nil if it is invalid, or if other arguments could change more than
    /// constants.
    static func template(of format: String, arguments: [Any?]) -> FormatTemplate? {
        guard var parser = try? PredicateParser(format, PredicateArguments(holdingBack: arguments)),
            let predicate = try? parser.predicate({ try $0.disjunction() }), parser.token == .end
        else { return nil }
        return FormatTemplate(predicate, parser.arguments, warnings: parser.tokenizer.warnings)
    }

    /// Parses the predicate of a format string and returns it with warnings about probable mistakes.
    package static func predicateAndWarnings(
        from format: String, arguments: [Any?]
    ) throws -> (predicate: NSPredicate, warnings: [String]) {
        var parser = try PredicateParser(format, PredicateArguments(arguments))
        let predicate = try parser.predicate { try $0.disjunction() }
        try parser.requireEnd()
        return (predicate, parser.warnings)
    }

    /// Parses the expression of a format string and reports warnings.
    ///
    /// - Throws: `PredicateParseError`.
    package static func expression(from format: String, arguments: [Any?]) throws -> NSExpression {
        var parser = try PredicateParser(format, PredicateArguments(arguments))
        let expression = try parser.expression { try $0.disjunction() }
        try parser.requireEnd()
        report(parser.warnings)
        return expression
    }

    private var warnings: [String] { tokenizer.warnings + (arguments.warning.map { [$0] } ?? []) }
}

extension PredicateParser {
    mutating func advance() throws {
        (token, start) = try tokenizer.next()
    }

    /// Advances past a sign if it is the current token; returns whether it was.
    mutating func skip(_ sign: String) throws -> Bool {
        guard token == .sign(sign) else { return false }
        try advance()
        return true
    }

    mutating func require(_ sign: String) throws {
        guard try skip(sign) else { throw unexpected("\"\(sign)\"") }
    }

    /// Whether the current token is one of these keywords, in any letter case.
    func isKeyword(_ words: String...) -> Bool {
        guard case .word(let text) = token, text.utf8.count <= 16 else { return false }
        return words.contains(text.uppercased())
    }

    /// Runs a production one level deeper; throws if that exceeds the limit.
    mutating func nested<Result>(_ production: (inout PredicateParser) throws -> Result) throws -> Result {
        guard depth < PredicateLimits.depth else {
            throw error(at: start, found: "too many levels", expected: "at most \(PredicateLimits.depth) nested levels")
        }
        depth += 1
        defer { depth -= 1 }
        return try production(&self)
    }

    mutating func nextArgument(_ kind: FormatPlaceholder.Kind) throws -> Any? {
        guard let value = arguments.next(kind) else {
            let found = token.name + " without an argument"
            throw error(at: start, found: found, expected: "an argument \(arguments.number + 1)")
        }
        return value
    }

    func unexpected(_ expected: String) -> PredicateParseError {
        error(at: start, found: token.name, expected: expected)
    }

    /// An error for a word that may be a misspelt keyword.
    func unexpected(_ expected: String, insteadOf keywords: [String]) -> PredicateParseError {
        guard case .word(let word) = token, let near = closestName(to: word, in: keywords) else {
            return unexpected(expected)
        }
        return unexpected("\(expected); did you mean \(near)?")
    }

    /// An error about the argument that was just used: its number and type, never its value.
    func unsuitableArgument(_ value: Any?, expected: String) -> PredicateParseError {
        let type = value.map { "of type \(Swift.type(of: $0))" } ?? "that is nil"
        return error(
            at: start, found: "argument \(arguments.number) \(type)", expected: "\(expected) for \(token.name)")
    }

    func error(at place: Int, found: String, expected: String) -> PredicateParseError {
        tokenizer.error(at: place, found: found, expected: expected)
    }

    func requireEnd() throws {
        guard token != .end else { return }
        throw unexpected("AND, OR or the end of the text", insteadOf: ["AND", "OR", "UNION", "INTERSECT", "MINUS"])
    }

    /// Runs a production and returns its predicate; throws if it parsed an expression.
    mutating func predicate(_ production: (inout PredicateParser) throws -> Operand) throws -> NSPredicate {
        let operand = try production(&self)
        return try requirePredicate(operand)
    }

    /// Runs a production and returns its expression; throws if it parsed a predicate.
    mutating func expression(_ production: (inout PredicateParser) throws -> Operand) throws -> NSExpression {
        let place = start
        let operand = try production(&self)
        return try requireExpression(operand, at: place)
    }

    func requirePredicate(_ operand: Operand) throws -> NSPredicate {
        guard case .predicate(let predicate) = operand else { throw missingComparison() }
        return predicate
    }

    func requireExpression(_ operand: Operand, at place: Int) throws -> NSExpression {
        guard case .expression(let expression) = operand else {
            throw error(at: place, found: "a predicate", expected: "a value")
        }
        return expression
    }
}
