/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The value by which it is stored and compared.
    public let rawValue: String

    /// Makes the value of a raw one; any raw value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes the name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension NSValueTransformerName {
    /// Negates a Boolean.
    public static let negateBooleanTransformerName = Self("NSNegateBoolean")
    /// Whether a value is nil.
    public static let isNilTransformerName = Self("NSIsNil")
    /// Whether a value is not nil.
    public static let isNotNilTransformerName = Self("NSIsNotNil")
    /// The older name for archives; the transformer decodes the same listed classes as the secure one.
    public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
    /// The older name for keyed archives; the transformer decodes the same listed classes as the secure one.
    public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
    /// Decodes keyed archives of listed classes.
    public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}
