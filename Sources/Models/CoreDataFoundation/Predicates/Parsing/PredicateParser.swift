/// Reads format strings: recursive descent with precedence, one token ahead, in time linear in the text.
///
/// Invariants:
/// 1. A parenthesis is read once: its contents decide whether it is a predicate or an expression, never a retry.
/// 2. Every recursion passes through `nested`, which bounds the depth.
/// 3. No name from the text selects code: functions are a closed list; selectors and classes are not supported.
package struct PredicateParser {
    /// What stands between operators: `(a + b)` is an expression, `(a > b)` a predicate.
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

    /// The predicate that a format string says.
    ///
    /// - Throws: `PredicateParseError`.
    package static func predicate(from format: String, arguments: [Any?]) throws -> NSPredicate {
        let (predicate, warnings) = try predicateAndWarnings(from: format, arguments: arguments)
        report(warnings)
        return predicate
    }

    /// Reports what looks like a mistake of the developer.
    static func report(_ warnings: [String]) {
        for warning in warnings { CoreDataLogging.report(.warning, warning, prefix: "") }
    }

    /// What a format string says whatever its arguments; nil if it is wrong, or says something else with others.
    static func template(of format: String, arguments: [Any?]) -> FormatTemplate? {
        guard var parser = try? PredicateParser(format, PredicateArguments(holdingBack: arguments)),
            let predicate = try? parser.predicate({ try $0.disjunction() }), parser.token == .end
        else { return nil }
        return FormatTemplate(predicate, parser.arguments, warnings: parser.tokenizer.warnings)
    }

    /// The predicate and what in its text looks like a mistake.
    package static func predicateAndWarnings(
        from format: String, arguments: [Any?]
    ) throws -> (predicate: NSPredicate, warnings: [String]) {
        var parser = try PredicateParser(format, PredicateArguments(arguments))
        let predicate = try parser.predicate { try $0.disjunction() }
        try parser.requireEnd()
        return (predicate, parser.warnings)
    }

    /// The expression that a format string says.
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

    /// Goes past a sign if it stands here.
    mutating func skip(_ sign: String) throws -> Bool {
        guard token == .sign(sign) else { return false }
        try advance()
        return true
    }

    mutating func require(_ sign: String) throws {
        guard try skip(sign) else { throw unexpected("\"\(sign)\"") }
    }

    /// Whether one of these keywords stands here, in any letter case.
    func isKeyword(_ words: String...) -> Bool {
        guard case .word(let text) = token, text.utf8.count <= 16 else { return false }
        return words.contains(text.uppercased())
    }

    /// Runs a production one level deeper.
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

    /// An error about the argument that was just handed out: its number and type, never its value.
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

    /// The predicate that a production reads; an error where it reads an expression.
    mutating func predicate(_ production: (inout PredicateParser) throws -> Operand) throws -> NSPredicate {
        let operand = try production(&self)
        return try requirePredicate(operand)
    }

    /// The expression that a production reads; an error where it reads a predicate.
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
