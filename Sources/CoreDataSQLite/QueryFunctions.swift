import CoreDataSQL
import SQLiteKit

/// The functions and collations that compiled queries call, on a connection.
enum QueryFunctions {
    static func register(on connection: Connection) throws {}

    static func value(_ parameter: SQLParameter) -> Value {
        switch parameter {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .blob(let data): .blob([UInt8](data))
        }
    }
}
