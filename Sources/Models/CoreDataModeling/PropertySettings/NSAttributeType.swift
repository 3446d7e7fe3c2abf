/// The type of an attribute's values, as numbered in models and version hashes.
public enum NSAttributeType: UInt, Sendable {
    /// No type, which is valid for transient attributes only.
    case undefinedAttributeType = 0
    /// A signed integer of 16 bits.
    case integer16AttributeType = 100
    /// A signed integer of 32 bits.
    case integer32AttributeType = 200
    /// A signed integer of 64 bits.
    case integer64AttributeType = 300
    /// A decimal number of up to 38 digits.
    case decimalAttributeType = 400
    /// A floating-point number of 64 bits.
    case doubleAttributeType = 500
    /// A floating-point number of 32 bits.
    case floatAttributeType = 600
    /// Text.
    case stringAttributeType = 700
    /// A Boolean.
    case booleanAttributeType = 800
    /// A point in time, stored as seconds since 2001-01-01 00:00 UTC.
    case dateAttributeType = 900
    /// Bytes.
    case binaryDataAttributeType = 1000
    /// A UUID.
    case UUIDAttributeType = 1100
    /// A URL.
    case URIAttributeType = 1200
    /// Any object that a value transformer converts to data.
    case transformableAttributeType = 1800
    /// The identifier of a managed object.
    case objectIDAttributeType = 2000
    /// A group of named attributes.
    case compositeAttributeType = 2100
}
