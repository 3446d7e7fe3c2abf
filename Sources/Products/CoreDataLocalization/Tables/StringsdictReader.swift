import Foundation

/// Reads `.stringsdict` files: texts with variables whose forms plural rules choose.
///
/// Source of the format: Apple, "Stringsdict File Format".
enum StringsdictReader {
    private static let plural = "NSStringPluralRuleType"

    /// - Throws: `StringTableError`: of a property list in XML with line and column, else with the key.
    static func entries(_ data: Data) throws -> [String: TextEntry] {
        let list =
            data.starts(with: Data("bplist00".utf8))
            ? try BinaryListReader.list(data) : try XMLListReader.list(TableText.decode(data))
        guard case .dictionary(let pairs) = list else {
            throw StringTableError(.structure, "The property list is not a dictionary of texts.")
        }
        var entries: [String: TextEntry] = [:]
        for (key, value) in pairs { entries[key] = try entry(value, key) }
        return entries
    }

    private static func entry(_ value: ListValue, _ key: String) throws -> TextEntry {
        let shown = StringTableError.shown(key)
        guard case .dictionary(let pairs) = value else {
            if let text = value.text { return TextEntry(.text(text)) }
            throw StringTableError(.structure, "\(shown) is not a dictionary.")
        }
        if let devices = value["NSStringDeviceSpecificRuleType"] {
            return TextEntry(.device(try texts(devices, key).mapValues(TextVariants.text)))
        }
        if let widths = value["NSStringVariableWidthRuleType"] {
            let forms = try texts(widths, key).map { width, text in
                guard let number = Int(width), number >= 0 else {
                    throw StringTableError(.structure, "\(shown) has a width that is not a number.")
                }
                return (number, TextVariants.text(text))
            }
            return TextEntry(.width(Dictionary(forms, uniquingKeysWith: { $1 })))
        }
        guard let format = value["NSStringLocalizedFormatKey"]?.text else {
            throw StringTableError(.structure, "\(shown) has no text NSStringLocalizedFormatKey.")
        }
        var variables: [String: TextEntry.Variable] = [:]
        for (name, value) in pairs where name != "NSStringLocalizedFormatKey" {
            variables[name] = try variable(value, name, key)
        }
        let entry = TextEntry(.text(format), variables: variables)
        let used = ([format] + variables.values.flatMap(\.variants.texts)).flatMap { FormatString($0).variables }
        if let missing = used.first(where: { variables[$0] == nil }) {
            throw StringTableError(
                .structure, "\(shown) has no dictionary for its variable \(StringTableError.shown(missing)).")
        }
        if let circle = entry.circle {
            throw StringTableError(
                .circularVariables,
                "The variables of \(shown) contain each other, or are nested too deep: "
                    + circle.map(StringTableError.shown).joined(separator: ", ") + ".")
        }
        return entry
    }

    private static func variable(_ value: ListValue, _ name: String, _ key: String) throws -> TextEntry.Variable {
        let shown = "The variable \(StringTableError.shown(name)) of \(StringTableError.shown(key))"
        guard case .dictionary(let pairs) = value else {
            throw StringTableError(.structure, "\(shown) is not a dictionary.")
        }
        let kind = value["NSStringFormatSpecTypeKey"]?.text ?? plural
        guard kind == plural else {
            throw StringTableError(.structure, "\(shown) is of the unknown kind \(StringTableError.shown(kind)).")
        }
        var forms: [PluralCategory: TextVariants] = [:]
        for (name, value) in pairs {
            guard let category = PluralCategory(rawValue: name) else { continue }
            guard let text = value.text else {
                throw StringTableError(.structure, "\(shown) has a form '\(name)' that is not a text.")
            }
            forms[category] = .text(text)
        }
        guard forms[.other] != nil else { throw StringTableError(.structure, "\(shown) has no form 'other'.") }
        let format = value["NSStringFormatValueTypeKey"]?.text ?? ""
        return TextEntry.Variable(format: format, variants: .plural(forms))
    }

    private static func texts(_ value: ListValue, _ key: String) throws -> [String: String] {
        guard case .dictionary(let pairs) = value, !pairs.isEmpty else {
            throw StringTableError(.structure, "\(StringTableError.shown(key)) has no texts by device or width.")
        }
        return try Dictionary(
            pairs.map { name, value in
                guard let text = value.text else {
                    throw StringTableError(.structure, "\(StringTableError.shown(key)) has a form that is not a text.")
                }
                return (name, text)
            }, uniquingKeysWith: { $1 })
    }
}
