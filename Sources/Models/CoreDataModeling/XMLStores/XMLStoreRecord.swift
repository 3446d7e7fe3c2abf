import CoreDataFoundation

/// One `<object>` of an XML store.
///
/// Names of entities are in capitals, names of properties in small letters; the identifier of a record is `z` with a
/// number. Source: stores that Apple's framework wrote.
package struct XMLStoreRecord: Hashable, Sendable {
    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let type: String
        /// `base64` for a string with characters that XML does not allow; nil for any other text.
        package let encoding: String?
        package let text: String
        /// The line of the file at which the value ends, from 1.
        package let line: Int
    }

    package struct Relationship: Hashable, Sendable {
        package let name: String
        /// The smallest and the largest number of members, `1/1` or `0/0`.
        package let type: String
        package let destination: String
        package let members: [Int64]
        /// The number of the deleted record to which the relationship referred; not in Apple's format.
        package let missing: Int64?
    }

    package let entity: String
    package let number: Int64
    /// The line of the file at which the record begins, from 1.
    package let line: Int
    package internal(set) var attributes: [Attribute] = []
    package internal(set) var relationships: [Relationship] = []

    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    package func members(_ name: String) -> [Int64] { relationships.first { $0.name == name }?.members ?? [] }
}

extension XMLStoreRecord.Attribute {
    /// The text converted by its type; nil for a text that is invalid for the type, and for an unknown type.
    ///
    /// Types that no examined file of Apple's framework contains (`int64`, `float`, `double`, `decimal`, `uuid`, `uri`,
    /// `transformable`) are converted like those that are.
    package var value: Any? {
        switch type {
        case "string": text
        case "bool": ["0": false, "1": true, "NO": false, "YES": true][text]
        case "int16": Int16(text)
        case "int32": Int32(text)
        case "int64": Int64(text)
        case "float": Float(text)
        case "double": Double(text)
        case "decimal": ExactNumber.decimal(of: text)
        case "date": Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
        case "binary", "transformable": Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        case "uuid": UUID(uuidString: text)
        case "uri": URL(string: text)
        default: nil
        }
    }
}

/// The `<databaseInfo>` of an XML store.
package struct XMLStoreInformation: Sendable {
    package internal(set) var version: Int?
    package internal(set) var identifier: String?
    package internal(set) var nextObjectNumber: Int64?
    /// The property list of the metadata; empty in the oldest stores.
    package internal(set) var metadata: [String: PropertyList] = [:]
}
