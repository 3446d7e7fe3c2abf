import CoreDataSQL
import SQLiteKit

/// Makes the numbers of rows those of another type while they are migrated, as `NumberConversion` does.
enum MigratedNumbers {
    /// Makes the function callable that the steps of a migration use.
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

    /// The number in a column of a type, as it is read; nil for what no attribute of the type reads.
    private static func number(_ value: Value, _ type: NSAttributeType) -> ExactNumber? {
        switch value {
        case .integer(let integer): StoredNumber.integer(integer).exact(type)
        case .real(let real): StoredNumber.real(real).exact(type)
        case .text(let text): StoredNumber.text(text).exact(type)
        case .null, .blob: nil
        }
    }
}
