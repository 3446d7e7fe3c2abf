import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// Makes the functions and collations callable that compiled queries name, on a connection of the store's own.
    package func registerFunctions() throws {
        try reading {
            try QueryFunctions.register(on: connection)
            for collation in SQLFunctionLibrary.registeredCollations {
                try QueryFunctions.register(collation, on: connection)
            }
        }
    }

    /// The names of these functions.
    package static var functionNames: [String] {
        SQLFunctionLibrary.functions.map(\.name) + SQLFunctionLibrary.accumulations.map(\.name)
    }
}
