import CoreDataSQL
import SQLiteKit

/// What the functions of SQL that batch updates call need to know, while one is carried out.
final class BatchFunctions {
    /// How computed values become those of attributes, by the numbers of the assignments.
    var conversions: [AssignedValue] = []
    /// What puts large values where the store keeps them.
    var largeValues: (any LargeValueWriting)?
    /// Why a value could not be stored; what SQLite reports of it is a text only.
    var failure: (any Error)?

    /// Makes the functions callable, by our own statements only.
    func register(on connection: Connection) throws {
        try registerConversions(on: connection)
        try connection.registerFunction(
            AssignedValue.largeValueFunctionName, argumentCount: 1, flags: [.directOnly]
        ) { [self] arguments in
            guard let largeValues, case .blob(let bytes) = arguments[0] else { return .null }
            return try keepingFailure { .blob([UInt8](try largeValues.storedForm(of: Data(bytes)))) }
        }
    }

    /// Makes the function callable that turns computed values into those of attributes.
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

    /// Runs a function's body and keeps what it throws.
    func keepingFailure(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}
