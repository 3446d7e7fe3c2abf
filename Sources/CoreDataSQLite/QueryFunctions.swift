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
                value(try function.body((0..<arguments.count).map { parameter(arguments[$0]) }))
            }
        }
        for collation in SQLFunctionLibrary.collations {
            try connection.registerCollation(collation.name) { left, right in
                collation.compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
                    .rawValue
            }
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

    private static func parameter(_ value: Value) -> SQLParameter {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .blob(let bytes): .blob(Data(bytes))
        }
    }
}
