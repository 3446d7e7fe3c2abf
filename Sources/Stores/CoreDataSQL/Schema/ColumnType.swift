import CoreDataStore

/// The declared type of a column.
///
/// It determines SQLite's conversion of stored values: INTEGER, VARCHAR (text), FLOAT (real), TIMESTAMP and DECIMAL
/// (numeric), BLOB (none). Source: the tables of stores that Apple's framework wrote.
package enum ColumnType: String, Sendable {
    case integer = "INTEGER"
    case timestamp = "TIMESTAMP"
    case float = "FLOAT"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"

    /// Returns the declared type of an attribute's column; nil for types without a column.
    package init?(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            self = .integer
        case .dateAttributeType: self = .timestamp
        case .doubleAttributeType, .floatAttributeType: self = .float
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType, .URIAttributeType: self = .varchar
        case .binaryDataAttributeType, .transformableAttributeType, .UUIDAttributeType: self = .blob
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
        }
    }
}

/// The groups by which the columns of a table are ordered; within a group, entities come depth first, names in byte
/// order.
enum ColumnGroup: Int, Comparable, CaseIterable {
    case integersAndKeys, orderKeys, timesAndFloats, decimals, strings, links, identifiers, transformables, bytes

    init?(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            self = .integersAndKeys
        case .dateAttributeType, .doubleAttributeType, .floatAttributeType: self = .timesAndFloats
        case .decimalAttributeType: self = .decimals
        case .stringAttributeType: self = .strings
        case .URIAttributeType: self = .links
        case .UUIDAttributeType: self = .identifiers
        case .transformableAttributeType: self = .transformables
        case .binaryDataAttributeType: self = .bytes
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
