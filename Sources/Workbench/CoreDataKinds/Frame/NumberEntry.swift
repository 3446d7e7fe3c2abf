import CoreData

/// Numbers that are entered for attributes of kinds.
enum NumberEntry {
    private static let ranges: [AttributeKind: ClosedRange<Decimal>] = [
        .integer16: Decimal(Int16.min)...Decimal(Int16.max), .integer32: Decimal(Int32.min)...Decimal(Int32.max),
        .integer64: Decimal(Int64.min)...Decimal(Int64.max),
    ]

    /// The number of a text of digits with a decimal point; nil for another text.
    static func number(_ text: String) -> Decimal? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, text.utf8.count <= 40,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// A number as a value of an attribute.
    ///
    /// - Throws: `InspectionError` of code `badValue` if the attribute's type has no room for it.
    static func value(_ number: Decimal, for attribute: NSAttributeDescription) throws -> Any? {
        let text = NSDecimalNumber(decimal: number).stringValue
        if let range = ranges[AttributeKind(attribute)] {
            guard range.contains(number), !text.contains(".") else {
                throw InspectionError(
                    .badValue, subject: attribute.name,
                    cause: "\(text) is no value of type \(attribute.attributeType.text)",
                    hint: "give a whole number within its range")
            }
        }
        return try ValueParsing.value(text, for: attribute)
    }
}
