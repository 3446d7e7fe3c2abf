import CoreData

/// Values of attributes as people read and write them in JSON, and back.
///
/// | attribute | JSON |
/// |---|---|
/// | integers, reals, truth values | numbers, `true` and `false`; `"inf"` and `"-inf"` |
/// | dates | `"2001-01-01T00:00:00Z"`, or seconds since then where they are not whole |
/// | decimals, UUIDs, URIs | text |
/// | binary data, transformed values | text in Base64 |
/// | composites | an object with the elements |
enum JSONValues {
    /// What JSON has for a value.
    static func json(_ value: Any, _ attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .booleanAttributeType: return (value as? NSNumber)?.boolValue
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return (value as? NSNumber)?.int64Value
        case .doubleAttributeType, .floatAttributeType:
            guard let real = (value as? NSNumber)?.doubleValue else { return nil }
            return real.isFinite ? real : String(real)
        case .dateAttributeType:
            guard let date = value as? Date else { return nil }
            let text = ISO8601DateFormatter().string(from: date)
            return ISO8601DateFormatter().date(from: text) == date ? text : date.timeIntervalSinceReferenceDate
        case .decimalAttributeType: return (value as? NSDecimalNumber)?.stringValue
        case .binaryDataAttributeType: return (value as? Data)?.base64EncodedString()
        case .UUIDAttributeType: return (value as? UUID)?.uuidString
        case .URIAttributeType: return (value as? URL)?.absoluteString
        case .compositeAttributeType:
            guard let parts = value as? [String: Any] else { return nil }
            return elements(attribute).reduce(into: [String: Any]()) { object, element in
                object[element.name] = parts[element.name].flatMap { json($0, element) }
            }
        case .transformableAttributeType:
            let transformer = transformer(of: attribute)
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            let stored = isReversed ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            return (stored as? Data)?.base64EncodedString()
        default: return value as? String
        }
    }

    /// The value that JSON stands for; nil where it is none of the attribute's.
    static func value(_ json: Any, _ attribute: NSAttributeDescription) -> Any? {
        let text = json as? String
        switch attribute.attributeType {
        case .booleanAttributeType: return (json as? NSNumber)?.boolValue ?? json as? Bool
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return number(json)
        case .doubleAttributeType, .floatAttributeType: return text.flatMap { Double($0) } ?? number(json)
        case .dateAttributeType:
            if let text { return ISO8601DateFormatter().date(from: text) }
            return number(json).map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
        case .decimalAttributeType:
            let digits = text ?? number(json)?.stringValue ?? ""
            let decimal = NSDecimalNumber(string: digits)
            // Foundation gives the decimal that is no number for any text that it cannot read.
            return decimal == .notANumber && digits != "NaN" ? nil : decimal
        case .binaryDataAttributeType: return text.flatMap { Data(base64Encoded: $0) }
        case .UUIDAttributeType: return text.flatMap { UUID(uuidString: $0) }
        case .URIAttributeType: return text.flatMap { URL(string: $0) }
        case .compositeAttributeType:
            guard let object = json as? [String: Any] else { return nil }
            return elements(attribute).reduce(into: [String: Any]()) { parts, element in
                parts[element.name] = object[element.name].flatMap { value($0, element) }
            }
        case .transformableAttributeType:
            guard let data = text.flatMap({ Data(base64Encoded: $0) }) else { return nil }
            let transformer = transformer(of: attribute)
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            return isReversed ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        default: return text
        }
    }

    private static func number(_ json: Any) -> NSNumber? {
        (json as? NSNumber) ?? (json as? Int).map { NSNumber(value: $0) }
            ?? (json as? Double).map { NSNumber(value: $0) }
    }

    private static func elements(_ attribute: NSAttributeDescription) -> [NSAttributeDescription] {
        (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    }

    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer {
        attribute.valueTransformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) }
            ?? NSSecureUnarchiveFromDataTransformer()
    }
}
