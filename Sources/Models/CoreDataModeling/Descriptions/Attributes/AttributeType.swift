extension NSAttributeDescription {
    /// The type of an attribute's values.
    ///
    /// The raw values are those of `NSAttributeType`.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The number of the type in models and version hashes.
        public let rawValue: UInt

        /// Makes a type from its number in models and version hashes.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        init(_ type: NSAttributeType) { self.init(rawValue: type.rawValue) }

        /// No type, which is valid for transient attributes only.
        public static let undefined = AttributeType(.undefinedAttributeType)
        /// A signed integer of 16 bits.
        public static let integer16 = AttributeType(.integer16AttributeType)
        /// A signed integer of 32 bits.
        public static let integer32 = AttributeType(.integer32AttributeType)
        /// A signed integer of 64 bits.
        public static let integer64 = AttributeType(.integer64AttributeType)
        /// A decimal number of up to 38 digits.
        public static let decimal = AttributeType(.decimalAttributeType)
        /// A floating-point number of 64 bits.
        public static let double = AttributeType(.doubleAttributeType)
        /// A floating-point number of 32 bits.
        public static let float = AttributeType(.floatAttributeType)
        /// Text.
        public static let string = AttributeType(.stringAttributeType)
        /// A Boolean.
        public static let boolean = AttributeType(.booleanAttributeType)
        /// A point in time, stored as seconds since 2001-01-01 00:00 UTC.
        public static let date = AttributeType(.dateAttributeType)
        /// Bytes.
        public static let binaryData = AttributeType(.binaryDataAttributeType)
        /// A UUID.
        public static let uuid = AttributeType(.UUIDAttributeType)
        /// A URL.
        public static let uri = AttributeType(.URIAttributeType)
        /// Any object that a value transformer converts to data.
        public static let transformable = AttributeType(.transformableAttributeType)
        /// The identifier of a managed object.
        public static let objectID = AttributeType(.objectIDAttributeType)
        /// A group of named attributes.
        public static let composite = AttributeType(.compositeAttributeType)
    }
}
