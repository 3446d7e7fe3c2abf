import CoreDataSQL
import SQLiteKit

/// The state of the SQL functions that batch updates call, during one batch update.
final class BatchFunctions {
    /// The conversions of computed values to attribute values, by the numbers of the assignments.
    var conversions: [AssignedValue] = []
    /// Writes large values to the row or to external files.
    var largeValues: (any LargeValueWriting)?
    /// The first error of a function; SQLite only reports the error's text.
    var failure: (any Error)?

    /// Registers the functions; only this library's own statements can call them, not triggers or views.
    func register(on connection: Connection) throws {
        try registerConversions(on: connection)
        try connection.registerFunction(
            AssignedValue.largeValueFunctionName, argumentCount: 1, flags: [.directOnly]
        ) { [self] arguments in
            guard let largeValues, case .blob(let bytes) = arguments[0] else { return .null }
            return try keepingFailure { .blob([UInt8](try largeValues.storedForm(of: Data(bytes)))) }
        }
    }

    /// Registers the function that converts computed values to attribute values.
    func registerConversions(on connection: Connection) throws {
        try connection.registerFunction(
            AssignedValue.functionName, argumentCount: 2, flags: [.directOnly]
        ) { [self] arguments in
            guard let number = Int(exactly: arguments.int64(0)), conversions.indices.contains(number) else {
                return .null
            }
            return try keepingFailure {
                QueryFunctions.value(try conversions[number].stored(QueryFunctions.parameter(arguments[1])))
            }
        }
    }

    /// Runs a function's body and records an error that it throws.
    func keepingFailure(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}
