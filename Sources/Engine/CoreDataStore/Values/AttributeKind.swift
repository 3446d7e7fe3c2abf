import CoreDataModeling

/// The type of an attribute as a dense enumeration, over which accessors switch.
@usableFromInline
package enum AttributeKind: UInt8, Sendable {
    case undefined, integer16, integer32, integer64, decimal, double, float, string, boolean, date, binary, uuid, uri
    case transformable, objectID, composite

    package init(_ attribute: NSAttributeDescription) {
        self =
            switch attribute.attributeType {
            case .integer16AttributeType: .integer16
            case .integer32AttributeType: .integer32
            case .integer64AttributeType: .integer64
            case .decimalAttributeType: .decimal
            case .doubleAttributeType: .double
            case .floatAttributeType: .float
            case .stringAttributeType: .string
            case .booleanAttributeType: .boolean
            case .dateAttributeType: .date
            case .binaryDataAttributeType: .binary
            case .UUIDAttributeType: .uuid
            case .URIAttributeType: .uri
            case .transformableAttributeType: .transformable
            case .objectIDAttributeType: .objectID
            case .compositeAttributeType: .composite
            default: .undefined
            }
    }

    /// The name of the Swift or Foundation type that a value must have, for messages.
    package var valueTypeName: String {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "String"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .objectID: "NSManagedObjectID"
        case .composite: "Dictionary"
        case .transformable, .undefined: "Any"
        }
    }
}
