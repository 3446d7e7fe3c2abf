extension PredicatePrinter {
    mutating func print(_ expression: NSExpression) {
        switch expression.form {
        case .constant(let value): printLiteral(value)
        case .evaluatedObject: text += "SELF"
        case .variable(let name): text += Self.written(variable: name)
        case .keyPath(let operand, let path): print(path, from: operand)
        case .function(let function, let arguments): print(function, arguments)
        case .call(let receiver, let name, let arguments):
            text += "FUNCTION("
            printList([receiver, NSExpression(.constant(name))] + arguments, start: "", end: ")")
        case .aggregate(let elements): printList(elements, start: "{", end: "}")
        case .set(let operation, let left, let right): print(operation, left: left, right: right)
        case .subquery(let collection, let name, let predicate):
            printSubquery(collection, name: name, predicate: predicate)
        case .conditional(let condition, let whenTrue, let whenFalse):
            text += "TERNARY("
            print(PredicateNode(condition))
            text += ", "
            printList([whenTrue, whenFalse], start: "", end: ")")
        case .anyKey: text += "ANYKEY"
        case .assignment(let name, let value):
            text += Self.written(variable: name) + " := "
            print(value)
        case .fetch(let request, let context, let isCountOnly):
            text += "FETCH("
            printList([request, context], start: "", end: isCountOnly ? ", YES)" : ", NO)")
        case .block: printOpaque(expression, as: "BLOCK")
        }
    }

    private mutating func printList(_ expressions: [NSExpression], start: String, end: String) {
        text += start
        for (index, expression) in expressions.enumerated() {
            if index > 0 { text += ", " }
            print(expression)
        }
        text += end
    }

    private mutating func printSubquery(_ collection: NSExpression, name: String, predicate: NSPredicate) {
        text += "SUBQUERY("
        print(collection)
        text += ", \(Self.written(variable: name)), "
        print(PredicateNode(predicate))
        text += ")"
    }
}

extension PredicatePrinter {
    private mutating func print(_ path: String, from operand: NSExpression?) {
        if let operand { printGrouped(operand, unless: operand.isPrimary && !operand.isNumber) }
        for (index, component) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
            let isFirst = index == 0 && operand == nil
            if !isFirst { text += "." }
            text += Self.written(String(component), isFirst: isFirst)
        }
    }

    /// The text of a variable, with quotes around what is not a name.
    private static func written(variable name: String) -> String {
        let isName = !name.isEmpty && name.unicodeScalars.allSatisfy(isNamePart)
        return "$" + (isName ? name : quoted(name))
    }

    /// The text of a key: `#` before a keyword at the start, also quotes around what is not a name.
    private static func written(_ key: String, isFirst: Bool) -> String {
        let name = key.hasPrefix("@") ? key.dropFirst() : key[...]
        let scalars = name.unicodeScalars
        guard let first = scalars.first, isNameStart(first) || key != name, scalars.allSatisfy(isNamePart) else {
            return "#" + quoted(key)
        }
        return isFirst && PredicateKeywords.reserved.contains(key.uppercased()) ? "#" + key : key
    }

    private mutating func print(_ function: ExpressionFunction, _ arguments: [NSExpression]) {
        if function == .element { return printElement(arguments[0], arguments[1]) }
        guard let sign = function.infixSign, let precedence = function.precedence, arguments.count == 2 else {
            return printList(arguments, start: Self.opening(function, arguments) + "(", end: ")")
        }
        let isPower = function == .power
        let (left, right) = (arguments[0].precedence, arguments[1].precedence)
        printGrouped(arguments[0], unless: isPower ? left > precedence : left >= precedence)
        text += " \(sign) "
        printGrouped(arguments[1], unless: isPower ? right >= precedence : right > precedence)
    }

    /// The function's text before the arguments. `CAST` of a literal would parse as a constant, so such a call keeps
    /// the function's own name.
    private static func opening(_ function: ExpressionFunction, _ arguments: [NSExpression]) -> String {
        guard function == .cast, case .constant(let type as String) = arguments[1].form else {
            return function.rawValue
        }
        if case .constant(let value) = arguments[0].form, elements(of: value) == nil { return function.rawValue }
        return CastType(rawValue: type) == nil ? function.rawValue : "CAST"
    }

    private mutating func printElement(_ collection: NSExpression, _ index: NSExpression) {
        printGrouped(collection, unless: collection.isPrimary && !collection.isNumber)
        text += "["
        if case .constant(let place as CollectionIndex) = index.form { text += place.rawValue } else { print(index) }
        text += "]"
    }

    private mutating func print(_ operation: SetOperation, left: NSExpression, right: NSExpression) {
        printGrouped(left, unless: left.precedence >= 1)
        text += " \(operation.rawValue) "
        printGrouped(right, unless: right.precedence > 1)
    }

    /// Prints a side of a comparison, an assignment in parentheses, since the comparison would parse as part of its
    /// value.
    mutating func printSide(_ expression: NSExpression) {
        printGrouped(expression, unless: expression.precedence > 0)
    }

    private mutating func printGrouped(_ expression: NSExpression, unless isPlain: Bool) {
        guard !isPlain else { return print(expression) }
        text += "("
        print(expression)
        text += ")"
    }
}

extension ExpressionFunction {
    /// The precedence of the operator; set operations have 1, expressions that never need parentheses have 9.
    fileprivate var precedence: Int? {
        switch self {
        case .bitwiseOr: 2
        case .bitwiseXor: 3
        case .bitwiseAnd: 4
        case .leftShift, .rightShift: 5
        case .add, .subtract: 6
        case .multiply, .divide, .modulus: 7
        case .power: 8
        default: nil
        }
    }
}

extension NSExpression {
    fileprivate var precedence: Int {
        switch form {
        case .function(let function, _): function.precedence ?? 9
        case .set: 1
        case .assignment: 0
        default: 9
        }
    }

    fileprivate var isPrimary: Bool { precedence == 9 }

    /// Whether the expression is a number, which may begin with a sign that would apply to what follows the number too.
    fileprivate var isNumber: Bool {
        guard case .constant(let value) = form else { return false }
        return ExactNumber(value) != nil
    }
}
