import CoreDataSQL
import SQLiteKit

/// The functions and collations that compiled queries call, on a connection.
enum QueryFunctions {
    /// Makes them callable by our own statements only: what a file's schema says cannot reach them.
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

    /// The rows of one group.
    private final class Group: GroupAggregating {
        private var accumulator: SQLFunctionLibrary.Accumulator

        init(_ accumulator: SQLFunctionLibrary.Accumulator) { self.accumulator = accumulator }

        func step(_ arguments: FunctionArguments) throws {
            try marking { try accumulator.add(parameter(arguments[0]), kind: parameter(arguments[1])) }
        }

        func result() throws -> Value { try marking { value(try accumulator.result()) } }
    }

    // MARK: Errors

    /// An expression's error as SQLite passes it on, which is as a text: marked, so that it is known from SQLite's own.
    private struct MarkedError: Error, CustomStringConvertible {
        static let mark = "an expression has no value: "

        let error: ExpressionError
        var description: String { Self.mark + error.description }
    }

    private static func marking<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ExpressionError { throw MarkedError(error: error) }
    }

    /// The text of the expression's error that made a statement fail; nil where something else did.
    static func expressionError(in error: SQLiteError) -> String? {
        guard error.code.primary == .error, error.message.hasPrefix(MarkedError.mark) else { return nil }
        return String(error.message.dropFirst(MarkedError.mark.count))
    }

    // MARK: Orders

    /// Makes one collating sequence known.
    static func register(_ collation: SQLFunctionLibrary.Collation, on connection: Connection) throws {
        try connection.registerCollation(collation.name) { left, right in
            collation.compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)).rawValue
        }
    }

    /// Makes the function callable that turns what a derivation computes into a value of its attribute.
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
