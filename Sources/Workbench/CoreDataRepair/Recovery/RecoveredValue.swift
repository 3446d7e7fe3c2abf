import CoreData
import SQLiteKit

/// Checks whether a value that was read from a damaged store is valid for its attribute.
enum RecoveredValue {
    /// The value to write to the new store; nil for a value that is not valid for the attribute's type.
    static func checked(_ value: Value, _ mapping: AttributeMapping) -> Value? {
        switch (mapping.type, value) {
        case (_, .null): return .null
        case (.integer16AttributeType, .integer(let number)): return one(value, if: Int16(exactly: number) != nil)
        case (.integer32AttributeType, .integer(let number)): return one(value, if: Int32(exactly: number) != nil)
        case (.integer64AttributeType, .integer), (.booleanAttributeType, .integer): return value
        case (.dateAttributeType, .real), (.doubleAttributeType, .real), (.floatAttributeType, .real),
            (.decimalAttributeType, .real):
            return value
        // SQLite stores an integral number in a column of reals as an integer.
        case (.dateAttributeType, .integer(let number)), (.doubleAttributeType, .integer(let number)),
            (.floatAttributeType, .integer(let number)):
            return .real(Double(number))
        case (.decimalAttributeType, .integer): return value
        case (.decimalAttributeType, .text(let text)):
            return one(value, if: text == "NaN" || NSDecimalNumber(string: text) != .notANumber)
        case (.stringAttributeType, .text), (.URIAttributeType, .text): return value
        case (.UUIDAttributeType, .blob(let bytes)): return one(value, if: bytes.count == 16)
        case (.binaryDataAttributeType, .blob(let bytes)), (.transformableAttributeType, .blob(let bytes)):
            guard mapping.allowsExternalStorage, let first = bytes.first else { return value }
            return one(value, if: first == 1 || first == 2)
        default: return nil
        }
    }

    /// The value if `isGood`, else nil. Returns `.none` explicitly, because `nil` could be inferred as the SQL value
    /// NULL.
    private static func one(_ value: Value, if isGood: Bool) -> Value? { isGood ? .some(value) : .none }
}
