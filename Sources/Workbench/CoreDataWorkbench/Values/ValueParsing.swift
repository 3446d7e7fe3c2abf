import CoreData

/// Parses values of attributes from text that was typed on a command line or into a form.
///
/// | type | text |
/// |---|---|
/// | integers, Double, Float, Decimal | a number with a decimal point; `NaN` for all but integers |
/// | Double, Float | also `Infinity` and `∞`, with `-` before them |
/// | Boolean | YES or NO, true or false, 1 or 0 |
/// | Date | ISO 8601; in UTC if no zone is given; or `@` and seconds since 2001-01-01 |
/// | Binary | base64 |
/// | UUID, URI | the usual text |
/// | String | the text itself; `@@` at the start stands for one `@` |
/// | Transformable, Composite | JSON, as `JSONValueParsing` reads it |
///
/// The text `@null` is nil for every type.
package enum ValueParsing {
    /// The text that stands for nil.
    package static let null = "@null"

    /// Converts a text to a value of an attribute; nil for `@null`.
    ///
    /// - Throws: `InspectionError` of code `badValue` saying what was expected.
    package static func value(_ text: String, for attribute: NSAttributeDescription) throws -> Any? {
        if text == null { return nil }
        let kind = AttributeKind(attribute)
        if kind == .transformable || kind == .composite { return try structured(text, attribute) }
        guard let value = value(text, kind) else {
            throw InspectionError(
                .badValue, subject: attribute.name,
                cause: "the text is not a value of type \(attribute.attributeType.text)",
                hint: expectation(kind, of: text))
        }
        return value
    }

    /// What is expected instead of a text; for an impossible date, also why it is impossible.
    static func expectation(_ kind: AttributeKind, of text: String) -> String {
        let reason = kind == .date ? ISODate.impossibility(text).map { $0 + "; " } : nil
        return (reason ?? "") + expectation(kind)
    }

    private static func structured(_ text: String, _ attribute: NSAttributeDescription) throws -> Any? {
        // An attribute whose transformer the program lacks takes base64, which needs no quotes here.
        if StoredBytes.standsIn(for: attribute) { return try JSONValueParsing.value(.string(text), for: attribute) }
        let values = try JSONReader.values(in: Array(text.utf8), of: attribute.name)
        guard values.count == 1 else {
            throw InspectionError(.badValue, subject: attribute.name, cause: "more than one value of JSON is given")
        }
        return try JSONValueParsing.value(values[0], for: attribute)
    }

    static func value(_ text: String, _ kind: AttributeKind) -> Any? {
        held(text, kind).flatMap { NSManagedObject.foundationValue($0, kind) }
    }

    /// The value in the form in which an object stores values; numbers may exceed the range of the type.
    package static func held(_ text: String, _ kind: AttributeKind) -> HeldValue? {
        switch kind {
        case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
        case .double: real(text).map { .real($0) }
        case .float:
            real(text).flatMap { number in
                let fits = !number.isFinite || abs(number) <= Double(Float.greatestFiniteMagnitude)
                return fits ? .real(Double(Float(number))) : nil
            }
        case .boolean: boolean(text).map { .integer($0 ? 1 : 0) }
        case .date: ISODate.date(text).map { .real($0.timeIntervalSinceReferenceDate) }
        case .decimal: decimal(text).map { .reference($0) }
        case .binary: Data(base64Encoded: text).map { .reference($0) }
        case .uuid: UUID(uuidString: text).map { .reference($0) }
        case .uri: text.isEmpty ? nil : URL(string: text).map { .reference($0) }
        case .string, .undefined: .reference(text.hasPrefix("@@") ? String(text.dropFirst()) : text)
        case .transformable, .composite, .objectID: nil
        }
    }

    static func expectation(_ kind: AttributeKind) -> String {
        switch kind {
        case .integer16: "a whole number from -32768 to 32767"
        case .integer32: "a whole number from -2147483648 to 2147483647"
        case .integer64: "a whole number of 64 bits"
        case .double, .float, .decimal: "a number such as -1.5"
        case .boolean: "YES or NO"
        case .date: "a date such as 2024-02-29T12:00:00Z"
        case .binary: "bytes in base64"
        case .uuid: "a UUID such as 123E4567-E89B-12D3-A456-426614174000"
        case .uri: "a URI such as https://example.org"
        case .transformable, .composite: "JSON such as [\"a\", 1]"
        case .objectID, .string, .undefined: "this type cannot be set from text, but for \(null)"
        }
    }

    /// Whether a text is a number: digits with a sign, a decimal point among or beside them, and an exponent of at most
    /// four digits.
    private static func isNumber(_ text: String) -> Bool {
        DigitForm.reading(text) { form in
            _ = form.take("+") || form.take("-")
            let whole = form.digits(atMost: .max)
            let hasFraction = form.take(".") && form.digits(atMost: .max) != nil
            guard whole != nil || hasFraction else { return false }
            guard form.take("e") || form.take("E") else { return form.isAtEnd }
            _ = form.take("+") || form.take("-")
            return form.digits(atMost: 4) != nil && form.isAtEnd
        }
    }

    private static func real(_ text: String) -> Double? {
        if let value = special(text) { return value }
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The value of a text that stands for NaN or an infinity; nil for any other text.
    static func special(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity", "∞": .infinity
        case "-Infinity", "-∞": -.infinity
        default: nil
        }
    }

    private static func decimal(_ text: String) -> NSDecimalNumber? {
        if text == "NaN" { return .notANumber }
        guard isNumber(text) else { return nil }
        let value = NSDecimalNumber(string: text, locale: nil)
        return value == .notANumber ? nil : value
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }
}
