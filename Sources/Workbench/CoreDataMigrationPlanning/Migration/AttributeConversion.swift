import CoreData

/// The Swift code that converts a value from one attribute type to another; `init` returns nil without a sensible
/// conversion.
struct AttributeConversion {
    /// The type that the old value is cast to.
    let valueType: String
    /// The Swift expression of the new value; it reads the old value from the variable `value`.
    let expression: String
    /// A sentence about the conversion's result, for the comment above the generated code.
    let note: String

    init?(from old: NSAttributeType, to new: NSAttributeType) {
        let found: (type: String, expression: String, note: String)? =
            switch old {
            case .stringAttributeType: Self.ofText(new)
            case .dateAttributeType: Self.ofDate(new)
            case .booleanAttributeType: Self.ofTruth(new)
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
                .doubleAttributeType, .floatAttributeType:
                Self.ofNumber(new)
            default: Self.ofOther(old, new)
            }
        guard let found else { return nil }
        (valueType, expression, note) = found
    }

    private typealias Parts = (type: String, expression: String, note: String)

    /// The Swift type of integers; nil for any other type.
    private static func integer(_ type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType: "Int16"
        case .integer32AttributeType: "Int32"
        case .integer64AttributeType: "Int64"
        default: nil
        }
    }

    private static func ofText(_ new: NSAttributeType) -> Parts? {
        let number = "Text that is not such a number becomes nothing."
        if let integer = integer(new) { return ("String", "\(integer)(value)", number) }
        switch new {
        case .doubleAttributeType: return ("String", "Double(value)", number)
        case .floatAttributeType: return ("String", "Float(value)", number)
        case .decimalAttributeType:
            return (
                "String", "Double(value).flatMap { _ in Decimal(string: value) }.map { NSDecimalNumber(decimal: $0) }",
                number
            )
        case .booleanAttributeType:
            return ("String", #"["true", "yes", "1"].contains(value.lowercased())"#, "Any other text is false.")
        case .dateAttributeType:
            return (
                "String", "ISO8601DateFormatter().date(from: value)",
                "Text that is not an ISO 8601 date becomes nothing."
            )
        case .UUIDAttributeType:
            return ("String", "UUID(uuidString: value)", "Text that is not a UUID becomes nothing.")
        case .URIAttributeType: return ("String", "URL(string: value)", "Text that is not a URL becomes nothing.")
        case .binaryDataAttributeType:
            return ("String", "Data(value.utf8)", "The bytes are those of the text in UTF-8.")
        default: return nil
        }
    }

    /// Conversions from numbers to other types; inferred migrations convert numbers to number types themselves.
    private static func ofNumber(_ new: NSAttributeType) -> Parts? {
        switch new {
        case .booleanAttributeType: return ("NSNumber", "value.doubleValue != 0", "Any number but 0 is true.")
        case .stringAttributeType: return ("NSNumber", "value.stringValue", "The text is the number in digits.")
        case .dateAttributeType:
            return (
                "NSNumber", "Date(timeIntervalSinceReferenceDate: value.doubleValue)",
                "The number is taken for seconds since 2001; use timeIntervalSince1970 for those since 1970."
            )
        default: return nil
        }
    }

    private static func ofTruth(_ new: NSAttributeType) -> Parts? {
        guard new == .stringAttributeType else { return nil }
        return ("NSNumber", #"value.boolValue ? "true" : "false""#, "The text is true or false.")
    }

    private static func ofDate(_ new: NSAttributeType) -> Parts? {
        let seconds = "value.timeIntervalSinceReferenceDate"
        let note = "The number is that of seconds since 2001; use timeIntervalSince1970 for those since 1970."
        if let integer = integer(new) { return ("Date", "\(integer)(exactly: \(seconds).rounded())", note) }
        switch new {
        case .doubleAttributeType: return ("Date", seconds, note)
        case .floatAttributeType: return ("Date", "Float(\(seconds))", note)
        case .decimalAttributeType: return ("Date", "NSDecimalNumber(value: \(seconds))", note)
        case .stringAttributeType:
            return (
                "Date", "ISO8601DateFormatter().string(from: value)", "The text is the date as of ISO 8601, in UTC."
            )
        default: return nil
        }
    }

    private static func ofOther(_ old: NSAttributeType, _ new: NSAttributeType) -> Parts? {
        switch (old, new) {
        case (.UUIDAttributeType, .stringAttributeType): ("UUID", "value.uuidString", "The text is in capitals.")
        case (.URIAttributeType, .stringAttributeType): ("URL", "value.absoluteString", "The text is the whole URL.")
        case (.UUIDAttributeType, .binaryDataAttributeType):
            ("UUID", "withUnsafeBytes(of: value.uuid) { Data($0) }", "The data are its 16 bytes.")
        case (.binaryDataAttributeType, .stringAttributeType):
            ("Data", "String(data: value, encoding: .utf8)", "Bytes that are not text in UTF-8 become nothing.")
        default: nil
        }
    }
}
