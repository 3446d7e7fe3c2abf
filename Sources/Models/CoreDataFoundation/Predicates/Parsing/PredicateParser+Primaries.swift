extension PredicateParser {
    /// Parses a literal, a name, an argument, a call, or a value in parentheses or braces.
    mutating func primary() throws -> Operand {
        switch token {
        case .string(let value): return try literal(value)
        case .integer(let value): return try literal(value)
        case .unsigned(let value): return try literal(value)
        case .decimal(let value): return try literal(value)
        case .double(let value): return try literal(value)
        case .uuid(let value): return try literal(value)
        case .variable(let name): return try taken(.variable(name))
        case .escapedWord(let name): return try taken(.keyPath(operand: nil, path: name))
        case .keyArgument: return try taken(ExpressionForm(path: try keyPathArgument()))
        case .objectArgument: return try objectArgument()
        case .numberArgument: return try numberArgument()
        case .textArgument: return try textArgument()
        case .functionName(let name): return try call(name)
        case .word(let word): return try name(word)
        case .sign("("): return try parenthesis()
        case .sign("{"): return try aggregate()
        case .sign, .end: throw unexpected("a value or a key")
        }
    }

    private mutating func literal(_ value: Any?) throws -> Operand {
        try taken(.constant(value))
    }

    private mutating func taken(_ form: ExpressionForm) throws -> Operand {
        try advance()
        return .expression(NSExpression(form))
    }

    private mutating func objectArgument() throws -> Operand {
        let value = try nextArgument(.object)
        try advance()
        switch value {
        case let predicate as NSPredicate: return .predicate(predicate)
        case let expression as NSExpression: return .expression(expression)
        default: return .expression(NSExpression(.constant(value)))
        }
    }

    private mutating func numberArgument() throws -> Operand {
        let argument = try nextArgument(.number)
        guard FormatPlaceholder.Kind.number.accepts(argument) else {
            throw unsuitableArgument(argument, expected: "a number")
        }
        return try literal(argument)
    }

    private mutating func textArgument() throws -> Operand {
        let argument = try nextArgument(.text)
        guard FormatPlaceholder.Kind.text.accepts(argument) else {
            throw unsuitableArgument(argument, expected: "a string")
        }
        return try literal(argument)
    }

    private mutating func parenthesis() throws -> Operand {
        try advance()
        let content = try nested { try $0.disjunction() }
        try require(")")
        return content
    }

    private mutating func aggregate() throws -> Operand {
        try advance()
        let elements = try expressions(until: "}")
        return .expression(NSExpression(.aggregate(elements)))
    }

    /// Parses values with commas between them, and the closing sign after them.
    private mutating func expressions(until end: String) throws -> [NSExpression] {
        var elements: [NSExpression] = []
        guard try !skip(end) else { return elements }
        repeat {
            elements.append(try nestedExpression())
        } while try skip(",")
        try require(end)
        return elements
    }

    private mutating func nestedExpression() throws -> NSExpression {
        try nested { try $0.expression { try $0.value() } }
    }

    private mutating func name(_ word: String) throws -> Operand {
        switch word.uppercased() {
        case "SELF": return try taken(.evaluatedObject)
        case "ANYKEY": return try taken(.anyKey)
        case "YES", "TRUE": return try literal(true)
        case "NO", "FALSE": return try literal(false)
        case "NIL", "NULL": return try literal(nil)
        case let upper where isReserved(upper): return try construct(upper, word)
        default: return try nameOrCall(word)
        }
    }

    private func isReserved(_ upper: String) -> Bool {
        PredicateKeywords.reserved.contains(upper) && !PredicateKeywords.contextual.contains(upper)
    }

    private mutating func nameOrCall(_ word: String) throws -> Operand {
        let place = start
        try advance()
        guard token == .sign("(") else { return .expression(NSExpression(.keyPath(operand: nil, path: word))) }
        return .expression(try functionCall(word, at: place))
    }

    private mutating func call(_ name: String) throws -> Operand {
        let place = start
        try advance()
        guard token == .sign("(") else { throw unexpected("\"(\" after the function's name") }
        return .expression(try functionCall(name, at: place))
    }

    /// Parses the arguments of a predefined function; its name may be written without colons.
    private mutating func functionCall(_ name: String, at place: Int) throws -> NSExpression {
        guard Self.function(named: name) != nil else {
            let known = ExpressionFunction.allCases.map(\.rawValue) + Self.constructs
            let failure = ExpressionError.unknownFunction(name, suggestion: closestName(to: name, in: known))
            throw error(at: place, found: failure.description, expected: "one of the predefined functions")
        }
        try require("(")
        return try functionCall(name, with: argumentList(of: name), at: place)
    }

    private static let constructs = ["SUBQUERY", "TERNARY", "CAST", "FUNCTION", "FETCH"]

    /// The predefined function of a name, with or without its last colon; `randomn` is a name in Apple's grammar.
    private static func function(named name: String) -> ExpressionFunction? {
        guard name != "randomn", name != "randomn:" else { return .randomBelow }
        return ExpressionFunction(rawValue: name) ?? ExpressionFunction(rawValue: name + ":")
    }

    /// Parses the arguments up to the closing parenthesis; an index may be `FIRST`, `LAST` or `SIZE`, as in brackets.
    private mutating func argumentList(of name: String) throws -> [NSExpression] {
        guard Self.function(named: name) == .element, token != .sign(")") else { return try expressions(until: ")") }
        let collection = try nestedExpression()
        return try [collection] + (skip(",") ? indexArguments() : expressions(until: ")"))
    }

    private mutating func indexArguments() throws -> [NSExpression] {
        guard let index = try namedIndex() else { return try expressions(until: ")") }
        try require(")")
        return [index]
    }

    private func functionCall(_ name: String, with arguments: [NSExpression], at place: Int) throws -> NSExpression {
        let known =
            arguments.isEmpty
            ? Self.function(named: name) : ExpressionFunction(rawValue: name + ":") ?? Self.function(named: name)
        do {
            return NSExpression(try ExpressionForm(calling: known?.rawValue ?? name, with: arguments))
        } catch let failure as ExpressionError {
            throw error(at: place, found: failure.description, expected: "one of the predefined functions")
        }
    }
}

extension PredicateParser {
    /// Parses a construct that begins with a reserved word; other reserved words are errors here.
    private mutating func construct(_ upper: String, _ word: String) throws -> Operand {
        switch upper {
        case "SUBQUERY": return .expression(try subquery())
        case "TERNARY": return .expression(try conditional())
        case "CAST": return .expression(try cast())
        case "FUNCTION": return .expression(try callOnOperand())
        case "FETCH": return .expression(try fetch())
        default: throw unexpected("a value or a key; a key of this name is written #\(word)")
        }
    }

    private mutating func subquery() throws -> NSExpression {
        try advance()
        try require("(")
        let collection = try nestedExpression()
        try require(",")
        guard case .variable(let variable) = token else { throw unexpected("a variable such as $x") }
        try advance()
        try require(",")
        let predicate = try nested { try $0.predicate { try $0.disjunction() } }
        try require(")")
        return NSExpression(.subquery(collection: collection, variable: variable, predicate: predicate))
    }

    private mutating func conditional() throws -> NSExpression {
        try advance()
        try require("(")
        let predicate = try nested { try $0.predicate { try $0.disjunction() } }
        try require(",")
        let whenTrue = try nestedExpression()
        try require(",")
        let whenFalse = try nestedExpression()
        try require(")")
        return NSExpression(.conditional(predicate, true: whenTrue, false: whenFalse))
    }

    /// Parses `FUNCTION(operand, "name", argument, …)`: the operand is the first argument of a predefined function, or
    /// a variable of `ExpressionForm.calledVariables`, to which the call is sent.
    private mutating func callOnOperand() throws -> NSExpression {
        try advance()
        try require("(")
        let operand = try nestedExpression()
        try require(",")
        let place = start
        guard case .string(let name) = token else { throw unexpected("the name of a predefined function in quotes") }
        try advance()
        if case .variable(let variable) = operand.form, ExpressionForm.calledVariables.contains(variable) {
            guard try skip(",") else {
                try require(")")
                return NSExpression(.call(receiver: operand, name: name, arguments: []))
            }
            return NSExpression(.call(receiver: operand, name: name, arguments: try expressions(until: ")")))
        }
        guard try skip(",") else {
            try require(")")
            return try functionCall(name, with: [operand], at: place)
        }
        let others = try Self.function(named: name) == .element ? indexArguments() : expressions(until: ")")
        return try functionCall(name, with: [operand] + others, at: place)
    }

    /// Parses `FETCH(request, context, YES)`; the third argument states whether only the count is requested.
    private mutating func fetch() throws -> NSExpression {
        try advance()
        try require("(")
        let request = try nestedExpression()
        try require(",")
        let context = try nestedExpression()
        try require(",")
        let isCountOnly = isKeyword("YES", "TRUE")
        guard isCountOnly || isKeyword("NO", "FALSE") else { throw unexpected("YES or NO") }
        try advance()
        try require(")")
        return NSFetchRequestExpression(.fetch(request: request, context: context, isCountOnly: isCountOnly))
    }

    /// Parses `CAST(value, "class")`; with a literal the result is a constant of that class.
    private mutating func cast() throws -> NSExpression {
        try advance()
        try require("(")
        let place = start
        let operand = try nestedExpression()
        try require(",")
        guard case .string(let name) = token, let type = CastType(rawValue: name) else {
            throw unexpected("one of " + CastType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        try advance()
        try require(")")
        guard case .constant(let value) = operand.form else {
            return NSExpression(.function(.cast, arguments: [operand, NSExpression(.constant(name))]))
        }
        guard let result = type.value(from: value) else {
            throw error(at: place, found: "a value that is not of this form", expected: "a value for \(name)")
        }
        return NSExpression(.constant(result))
    }
}
