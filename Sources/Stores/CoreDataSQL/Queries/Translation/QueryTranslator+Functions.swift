import CoreDataStore

extension QueryTranslator {
    /// Translates a call of a predefined function.
    mutating func operand(_ function: ExpressionFunction, _ arguments: [NSExpression]) throws -> Operand {
        let operands = try arguments.map { try operand($0) }
        switch function {
        case .noIndex: return operands[0]
        case .uppercase, .lowercase, .canonical, .length: return try textFunction(function, operands[0])
        case .occurrences: return try occurrences(of: operands[0], in: operands[1])
        case .rank: return try rank(of: operands[0], in: operands[1])
        case .sum, .count, .min, .max, .average, .median, .standardDeviation: return try aggregate(function, operands)
        case .distinct:
            guard case .collection(var collection) = operands[0] else {
                throw QueryError.unsuitable(function, operands[0])
            }
            collection.isDistinct = true
            return .collection(collection)
        case .element: return try element(of: operands[0], at: operands[1])
        case .cast: return try cast(operands[0], to: operands[1])
        case .mode, .now, .random, .randomBelow:
            throw QueryError(.unsupported, "the function \(function.rawValue) has no SQL")
        case .dayOfDate: return try DateCalculation.day(of: operands[0])
        default: return try DateCalculation.operand(function, operands) ?? numeric(function, operands)
        }
    }

    private func textFunction(_ function: ExpressionFunction, _ operand: Operand) throws -> Operand {
        guard case .scalar(let value, .text) = operand else { throw QueryError.unsuitable(function, operand) }
        let result = SQLExpression.call(SQLFunctionLibrary.name(of: function), [value])
        return .scalar(result, function == .length ? .number(.whole) : .text)
    }

    private func occurrences(of words: Operand, in text: Operand) throws -> Operand {
        var values: [SQLExpression] = []
        for operand in [words, text] {
            switch operand {
            case .scalar(let value, .text): values.append(value)
            case .constant(let text as String): values.append(.parameter(.text(text)))
            case .constant(nil): return .constant(nil)
            default: throw QueryError.unsuitable(.occurrences, operand)
            }
        }
        return .scalar(.call(SQLFunctionLibrary.name(of: .occurrences), values), .number(.whole))
    }

    private func rank(of words: Operand, in text: Operand) throws -> Operand {
        let values = try [words, text].map { operand -> SQLExpression in
            switch operand {
            case .scalar(let value, .text): return value
            case .constant(let text as String): return .parameter(.text(text))
            case .constant(nil): return .parameter(.null)
            default: throw QueryError.unsuitable(.rank, operand)
            }
        }
        return .scalar(.call(SQLFunctionLibrary.name(of: .rank), values), .number(.whole))
    }

    private mutating func aggregate(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand {
        if operands.count == 1, case .collection(let collection) = operands[0] {
            let (value, kind) =
                function == .count
                ? try count(of: collection, countsNil: false) : try aggregate(function, of: collection)
            return .scalar(value, kind)
        }
        if operands.count == 1, case .list(let elements) = operands[0] {
            return try aggregate(function, ofList: elements)
        }
        return try aggregate(function, ofList: operands)
    }

    /// Returns an aggregate over several values of one row.
    private func aggregate(_ function: ExpressionFunction, ofList operands: [Operand]) throws -> Operand {
        var terms: [SQLExpression] = []
        var kind: NumberKind?
        for operand in operands {
            guard let (value, valueKind) = try argument(of: function, operand) else { continue }
            kind = kind.map { $0 == valueKind ? $0 : .result($0, valueKind) } ?? valueKind
            terms.append(Self.term(value, valueKind))
        }
        if function == .count {
            let counts = terms.map {
                SQLExpression.conditional(.isNotNull($0), then: .number(1), otherwise: .number(0))
            }
            return .scalar(
                counts.dropFirst().reduce(counts.first ?? .number(0)) { .arithmetic(.add, $0, $1) }, .number(.whole))
        }
        guard let kind else { return .constant(function == .sum ? 0 : nil) }
        return .scalar(
            .call(SQLFunctionLibrary.name(of: function), terms), .number(Self.kind(of: function, over: kind)))
    }

    /// Returns an element of a list by its index, or the number of elements of a relationship.
    private mutating func element(of operand: Operand, at place: Operand) throws -> Operand {
        switch (operand, place) {
        case (.collection(let collection), .constant(let index as CollectionIndex)) where index == .size:
            let (count, kind) = try count(of: collection, countsNil: true)
            return .scalar(ofSomebody(count, collection.owner), kind)
        case (.list(let elements), .constant(let index as CollectionIndex)):
            switch index {
            case .first: return elements.first ?? .constant(nil)
            case .last: return elements.last ?? .constant(nil)
            case .size: return .constant(elements.count)
            }
        case (.list(let elements), .constant(let index?)):
            guard let number = ExactNumber(index)?.integer else { throw QueryError.unsuitable(.element, place) }
            return Int(exactly: number).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .constant(nil)
        default:
            throw QueryError(.unsupported, "the elements of \(operand.typeName) cannot be taken by their places in SQL")
        }
    }

    private func cast(_ operand: Operand, to type: Operand) throws -> Operand {
        guard case .constant(let name as String) = type else { throw QueryError.unsuitable(.cast, type) }
        // Evaluates the cast with nil, so that an unknown type raises the same error as in memory.
        _ = try NSExpression(
            .function(.cast, arguments: [NSExpression(.constant(nil)), NSExpression(.constant(name))])
        )
        .value(on: nil)
        guard case .scalar(let value, let kind) = operand, let number = SQLFunctionLibrary.number(of: kind) else {
            throw QueryError.unsuitable(.cast, operand)
        }
        let result = SQLExpression.call(
            SQLFunctionLibrary.cast, [value, .number(number), .parameter(.text(name))])
        return .scalar(result, Self.kind(ofCast: kind, to: name))
    }

    private static func kind(ofCast kind: ValueKind, to name: String) -> ValueKind {
        switch name {
        case "NSDate": .date
        case "NSDecimalNumber": .number(.exact)
        case "NSNumber": kind.numberKind.map { .number($0.isDecimal ? .exact : $0) } ?? .number(.real)
        case "NSUUID": .uuid
        case "NSURL": .url
        case "NSData": .data
        default: .text
        }
    }

    private func numeric(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand {
        var values: [SQLExpression] = []
        var kinds: [NumberKind] = []
        for operand in operands {
            guard let (value, kind) = try argument(of: function, operand) else { return .constant(nil) }
            values.append(value)
            kinds.append(kind)
        }
        return .scalar(call(function, values: values, kinds: kinds), .number(Self.resultKind(of: function, kinds)))
    }

    /// Returns a number as an argument; nil for a nil argument, which makes the result nil.
    private func argument(
        of function: ExpressionFunction, _ operand: Operand
    ) throws -> (SQLExpression, NumberKind)? {
        switch operand {
        case .constant(nil): return nil
        case .constant(let value?): if let number = ExactNumber(value) { return argument(number) }
        case .scalar(let value, .number(let kind)): return (value, kind)
        default: break
        }
        throw QueryError.unsuitable(function, operand)
    }

    /// Returns a constant number; a decimal with more digits than a double is a text, which only decimal functions
    /// accept.
    func argument(_ number: ExactNumber) -> (SQLExpression, NumberKind) {
        if number.isDecimalNaN { return (.parameter(NumberBound.decimalNaN), .exact) }
        guard let bound = NumberBound(number) else { return (.parameter(.null), .real) }
        switch number {
        case .integer: return (.parameter(bound.parameter), .whole)
        case .unsigned, .double: return (.parameter(bound.parameter), .real)
        case .decimal(let decimal):
            return bound.exact.map { (.parameter($0), .decimal) } ?? (.parameter(.text(decimal.description)), .exact)
        }
    }

    private static let operators: [ExpressionFunction: SQLOperator] = [
        .add: .add, .subtract: .subtract, .multiply: .multiply, .divide: .divide, .modulus: .modulus,
        .bitwiseAnd: .and, .bitwiseOr: .or, .leftShift: .leftShift, .rightShift: .rightShift,
    ]

    private func call(
        _ function: ExpressionFunction, values: [SQLExpression], kinds: [NumberKind]
    ) -> SQLExpression {
        if kinds.contains(where: \.isDecimal), let name = SQLFunctionLibrary.decimalName(of: function) {
            return .call(name, values)
        }
        let isWhole = kinds.allSatisfy { $0 == .whole }
        if let sign = Self.operators[function], isWhole || SQLFunctionLibrary.decimalName(of: function) != nil {
            return .arithmetic(sign, values[0], values[1])
        }
        if function == .onesComplement, isWhole { return .complement(values[0]) }
        return .call(SQLFunctionLibrary.name(of: function), values)
    }

    private static func resultKind(of function: ExpressionFunction, _ kinds: [NumberKind]) -> NumberKind {
        switch function {
        case .add, .subtract, .multiply, .divide: .result(kinds[0], kinds[1])
        case .floor, .ceiling, .truncate, .absolute: kinds[0]
        case .squareRoot, .logarithm, .naturalLogarithm, .power, .exponential: .real
        default: .whole
        }
    }
}
