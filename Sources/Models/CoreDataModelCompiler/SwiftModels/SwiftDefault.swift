import CoreDataModeling

/// The default value of an attribute as an expression of Swift.
enum SwiftDefault {
    /// Returns nil for a value that no expression here says, or one that is not of the attribute's type.
    static func text(of value: Any, as type: NSAttributeType, _ names: SwiftTypeNames) -> String? {
        switch type {
        case .integer16AttributeType: (value as? NSNumber).flatMap { Int16(exactly: $0) }.map(String.init)
        case .integer32AttributeType: (value as? NSNumber).flatMap { Int32(exactly: $0) }.map(String.init)
        case .integer64AttributeType: (value as? NSNumber).flatMap { Int64(exactly: $0) }.map(String.init)
        case .booleanAttributeType: (value as? NSNumber).map { $0.boolValue ? "true" : "false" }
        case .doubleAttributeType: (value as? NSNumber).flatMap { number($0.doubleValue) }
        case .floatAttributeType: (value as? NSNumber).flatMap { $0.floatValue.isFinite ? "\($0.floatValue)" : nil }
        case .stringAttributeType: (value as? String).map(SwiftName.literal)
        case .decimalAttributeType: (value as? NSDecimalNumber).flatMap { decimal($0.decimalValue, names) }
        case .dateAttributeType: (value as? Date).flatMap { date($0, names) }
        case .UUIDAttributeType:
            (value as? UUID).map {
                "\(names.plain("UUID"))(uuidString: \"\($0.uuidString)\") ?? \(names.plain("UUID"))()"
            }
        case .URIAttributeType:
            (value as? URL).map {
                "\(names.plain("URL"))(string: \(SwiftName.literal($0.absoluteString))) ?? \(names.plain("URL"))(filePath: \"/\")"
            }
        case .binaryDataAttributeType:
            (value as? Data).map {
                "\(names.plain("Data"))(base64Encoded: \"\($0.base64EncodedString())\") ?? \(names.plain("Data"))()"
            }
        default: nil
        }
    }

    private static func number(_ value: Double) -> String? { value.isFinite ? "\(value)" : nil }

    private static func decimal(_ value: Decimal, _ names: SwiftTypeNames) -> String? {
        guard !value.isNaN else { return nil }
        return "\(names.plain("Decimal"))(string: \"\(value)\") ?? 0"
    }

    private static func date(_ value: Date, _ names: SwiftTypeNames) -> String? {
        number(value.timeIntervalSinceReferenceDate).map {
            "\(names.plain("Date"))(timeIntervalSinceReferenceDate: \($0))"
        }
    }
}
