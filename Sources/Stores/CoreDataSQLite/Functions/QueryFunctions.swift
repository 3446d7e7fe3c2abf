import CoreDataSQL
import SQLiteKit

/// Registers the functions and collations that compiled queries call.
enum QueryFunctions {
    /// Registers them for this library's own statements only: a file's triggers and views cannot call them.
    static func register(on connection: Connection) throws {
        for function in SQLFunctionLibrary.functions {
            try connection.registerFunction(
                function.name, argumentCount: function.argumentCount,
                flags: function.isDeterministic ? [.deterministic, .directOnly] : [.directOnly]
            ) { arguments in
                if let calculate = function.realBody, arguments.type(0) == .real {
                    return .real(calculate(arguments.double(0)))
                }
                return try marking {
                    value(try function.body((0..<arguments.count).map { parameter(arguments[$0]) }))
                }
            }
        }
        for accumulation in SQLFunctionLibrary.accumulations {
            try connection.registerAggregate(
                accumulation.name, argumentCount: 2, flags: [.deterministic, .directOnly]
            ) { Group(accumulation.makeAccumulator()) }
        }
        for collation in SQLFunctionLibrary.collations { try register(collation, on: connection) }
    }

    /// Collects the rows of one group.
    private final class Group: GroupAggregating {
        private var accumulator: SQLFunctionLibrary.Accumulator

        init(_ accumulator: SQLFunctionLibrary.Accumulator) { self.accumulator = accumulator }

        func step(_ arguments: FunctionArguments) throws {
            try marking { try accumulator.add(parameter(arguments[0]), kind: parameter(arguments[1])) }
        }

        func result() throws -> Value { try marking { value(try accumulator.result()) } }
    }

    // MARK: Errors

    /// The error of an expression. SQLite passes on only its text, which begins with a mark that distinguishes it from
    /// SQLite's own.
    private struct MarkedError: Error, CustomStringConvertible {
        static let mark = "an expression has no value: "

        let error: ExpressionError
        var description: String { Self.mark + error.description }
    }

    private static func marking<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ExpressionError { throw MarkedError(error: error) }
    }

    /// Returns the text of the expression's error that made a statement fail; nil if something else made it fail.
    static func expressionError(in error: SQLiteError) -> String? {
        guard error.code.primary == .error, error.message.hasPrefix(MarkedError.mark) else { return nil }
        return String(error.message.dropFirst(MarkedError.mark.count))
    }

    // MARK: Orders

    /// Registers one collating sequence.
    static func register(_ collation: SQLFunctionLibrary.Collation, on connection: Connection) throws {
        try connection.registerCollation(collation.name) { left, right in
            collation.compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)).rawValue
        }
    }

    /// Registers the function that converts the result of a derivation to a value of its attribute.
    static func register(_ derivations: [SavedDerivation], on connection: Connection) throws {
        try connection.registerFunction(
            SavedDerivation.functionName, argumentCount: 2, flags: [.deterministic, .directOnly]
        ) { arguments in
            guard let number = Int(exactly: arguments.int64(0)), derivations.indices.contains(number) else {
                return .null
            }
            return value(derivations[number].stored(parameter(arguments[1])))
        }
    }

    static func value(_ parameter: SQLParameter) -> Value {
        switch parameter {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .blob(let data): .blob([UInt8](data))
        }
    }

    static func parameter(_ value: Value) -> SQLParameter {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .blob(let bytes): .blob(Data(bytes))
        }
    }
}
