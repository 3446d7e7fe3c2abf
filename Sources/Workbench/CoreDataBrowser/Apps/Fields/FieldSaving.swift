import CoreData
import CoreDataLocalization

/// Converts the entries in fields of each kind to values. An invalid entry is not corrected: the error says what is
/// expected.
enum FieldSaving {
    /// A text; an empty one is saved as such unless the row says that it stands for nil.
    @Sendable static func text(_ entry: FieldEntry) throws -> JSONValue {
        switch entry.value {
        case .string(""): return entry.emptyIsNull ? .null : entry.value
        case .string, .null: return entry.value
        default: throw entry.refused("a text is expected")
        }
    }

    /// The value of a text field: a text, or a number if the attribute is numeric.
    @Sendable static func textOrNumber(_ entry: FieldEntry) throws -> JSONValue {
        try entry.attribute.attributeType == .stringAttributeType ? text(entry) : number(entry)
    }

    /// A number in the notation of the locale; an empty entry is null.
    @Sendable static func number(_ entry: FieldEntry) throws -> JSONValue {
        guard let written = entry.text?.trimmingCharacters(in: .whitespaces), !written.isEmpty else { return .null }
        let isWritten = if case .string = entry.value { true } else { false }
        let text = isWritten ? plain(written, entry.locale) : written
        let isWhole =
            [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
            .contains(entry.attribute.attributeType)
        guard let value = try? ValueParsing.value(text, for: entry.attribute) else {
            throw entry.refused(isWhole ? "a whole number is expected" : "a number is expected")
        }
        if let reason = outOfRange(value, entry.attribute) { throw entry.refused(reason) }
        return ValueCoding.jsonValue(value, of: entry.attribute)
    }

    /// A date in ISO 8601; an empty entry is null.
    @Sendable static func date(_ entry: FieldEntry) throws -> JSONValue {
        guard let text = entry.text, !text.isEmpty else { return .null }
        guard case .string = entry.value, let date = ISODate.date(text) else {
            throw entry.refused(
                ISODate.impossibility(text) ?? "a date is expected", hint: "a date such as 2015-05-01")
        }
        return .string(ISODate.text(date))
    }

    /// One of the values that the row lists; an empty entry is null.
    @Sendable static func choice(_ entry: FieldEntry) throws -> JSONValue {
        guard let text = entry.text, !text.isEmpty else { return .null }
        guard entry.choices.contains(text) else {
            throw entry.refused(
                "only a listed value can be chosen", hint: "one of " + entry.choices.joined(separator: ", "))
        }
        return .string(text)
    }

    /// Four numbers from 0 to 1: red, green, blue, alpha; two are a grey and its alpha.
    @Sendable static func color(_ entry: FieldEntry) throws -> JSONValue {
        if case .null = entry.value { return .null }
        guard let color = RowColor(entry.value) else {
            throw entry.refused("a colour is expected", hint: "four numbers from 0 to 1: red, green, blue, alpha")
        }
        guard entry.attribute.attributeType == .binaryDataAttributeType else { return color.json }
        return .string(color.stored.base64EncodedString())
    }

    /// Any value, in the JSON that `ValueCoding` writes for the attribute.
    @Sendable static func any(_ entry: FieldEntry) throws -> JSONValue {
        ValueCoding.jsonValue(try JSONValueParsing.value(entry.value, for: entry.attribute), of: entry.attribute)
    }

    /// The digits of a number that the locale writes; any other text, such as `1e5`, as it is.
    private static func plain(_ text: String, _ locale: Locale) -> String {
        guard let number = try? NumberReader(locale: locale).decimal(text) else { return text }
        return NSDecimalNumber(decimal: number).description(withLocale: nil)
    }

    private static func outOfRange(_ value: Any?, _ attribute: NSAttributeDescription) -> String? {
        guard let number = (value as? NSNumber)?.int64Value else { return nil }
        let fits =
            switch attribute.attributeType {
            case .integer16AttributeType: Int16(exactly: number) != nil
            case .integer32AttributeType: Int32(exactly: number) != nil
            default: true
            }
        return fits ? nil : "the number is too large for the attribute"
    }
}

extension JSONValue {
    var isNull: Bool { if case .null = self { true } else { false } }
}
