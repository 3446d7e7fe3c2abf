/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension NSValueTransformerName {
    /// Turns truth values round.
    public static let negateBooleanTransformerName = Self("NSNegateBoolean")
    /// Whether a value is nil.
    public static let isNilTransformerName = Self("NSIsNil")
    /// Whether a value is there.
    public static let isNotNilTransformerName = Self("NSIsNotNil")
    /// The older name for archives; here it decodes the same closed list of classes as the secure one.
    public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
    /// The older name for keyed archives; here it decodes the same closed list of classes as the secure one.
    public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
    /// Decodes keyed archives of a closed list of classes.
    public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}
