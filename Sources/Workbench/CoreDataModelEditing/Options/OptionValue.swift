import CoreDataModeling

/// Converts values of options to the texts that a model source has for them.
enum OptionValue {
    static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }

    /// The text that a source has for a value of an attribute type; nil for an invalid value.
    static func written(_ text: String, type: String) -> String? {
        switch type {
        case "Integer 16": Int16(text).map { "\($0)" }
        case "Integer 32": Int32(text).map { "\($0)" }
        case "Integer 64": Int64(text).map { "\($0)" }
        case "Double", "Float", "Decimal": number(text)
        case "Boolean": flag(text).map { $0 ? "YES" : "NO" }
        case "UUID": UUID(uuidString: text).map(\.uuidString)
        case "URI": URL(string: text).map { _ in text }
        case "Date": DateText.date(text).map(DateText.text(of:))
        default: text
        }
    }

    /// The text of a number, with `.0` added to an integer as Xcode writes it; nil for an invalid number.
    private static func number(_ text: String) -> String? {
        guard let number = Double(text), number.isFinite,
            text.utf8.allSatisfy({ "+-0123456789.eE".utf8.contains($0) })
        else { return nil }
        return text.contains { ".eE".contains($0) } ? text : text + ".0"
    }

    /// The text that a source has for a minimum or maximum of a type; nil for an invalid one.
    ///
    /// Numbers stay as they are written, except for integer types and dates.
    static func limit(_ text: String, type: String) -> String? {
        guard type.hasPrefix("Integer") || type == "Date" else { return number(text).map { _ in text } }
        return written(text, type: type)
    }
}
