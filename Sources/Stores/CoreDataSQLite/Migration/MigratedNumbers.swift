import CoreDataSQL
import SQLiteKit

/// Converts numbers to another type during a migration, as `NumberConversion` does.
enum MigratedNumbers {
    /// Registers the function that the steps of a migration call.
    static func register(on connection: Connection) throws {
        try connection.registerFunction(
            SchemaMigration.converting, argumentCount: 3, flags: [.deterministic, .directOnly]
        ) { arguments in
            guard let old = type(arguments.int64(1)), let new = type(arguments.int64(2)),
                let conversion = NumberConversion(from: old, to: new), let number = number(arguments[0], old)
            else { return .null }
            switch conversion.exact(number) {
            case .integer(let integer): return .integer(integer)
            case .double(let double): return .real(double)
            case .decimal(let decimal):
                return QueryFunctions.value(SQLParameter.text(decimal.description).kept(in: .decimal))
            case .unsigned, nil: return .null
            }
        }
    }

    private static func type(_ number: Int64) -> NSAttributeType? {
        UInt(exactly: number).flatMap { NSAttributeType(rawValue: $0) }
    }

    /// Returns the number in a column as an attribute of the type reads it; nil if such an attribute cannot read it.
    private static func number(_ value: Value, _ type: NSAttributeType) -> ExactNumber? {
        switch value {
        case .integer(let integer): StoredNumber.integer(integer).exact(type)
        case .real(let real): StoredNumber.real(real).exact(type)
        case .text(let text): StoredNumber.text(text).exact(type)
        case .null, .blob: nil
        }
    }
}
