import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// Registers the functions and collations that compiled queries use, on the connection to this store.
    package func registerFunctions() throws {
        try reading {
            try QueryFunctions.register(on: connection)
            for collation in SQLFunctionLibrary.registeredCollations {
                try QueryFunctions.register(collation, on: connection)
            }
        }
    }

    /// The names of the registered functions.
    package static var functionNames: [String] {
        SQLFunctionLibrary.functions.map(\.name) + SQLFunctionLibrary.accumulations.map(\.name)
    }
}
