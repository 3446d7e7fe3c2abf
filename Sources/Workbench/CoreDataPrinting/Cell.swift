import CoreDataLocalization
import CoreDataWorkbench

/// Formats readings as cells of a table.
package enum Cell {
    /// The number of characters of a text that a table can show, for a terminal's width.
    static func limit(_ width: Int?) -> Int { width ?? TextTable.widest + 1 }

    /// The reading as printable text, cut after `limit` characters, more than a line of the terminal can show.
    package static func table(_ reading: PropertyReading, limit: Int, style: String? = nil) -> String {
        switch reading {
        case .null: "nil"
        case .value(let data as Data, _): RunLanguage.text("(\(data.count) bytes)")
        case .value(let value, let kind):
            PrintableText.escaped(localized(value, kind, style) ?? ValueCoding.text(value, kind) ?? "nil", limit: limit)
        case .object(let id): PrintableText.escaped(id.shortText)
        case .objects(let ids, _): many(ids)
        case .text(let text): PrintableText.escaped(text, limit: limit)
        case .unreadable: RunLanguage.text("(unreadable)")
        }
    }

    /// A number or a date as the region writes it, in the style that the model names; nil for other values, and in the plain
    /// forms of English.
    private static func localized(_ value: Any, _ kind: AttributeKind?, _ name: String?) -> String? {
        guard let formats = RunLanguage.formats else { return nil }
        let style = name.flatMap { ValueStyle($0) }
        switch value {
        case let date as Date:
            let text = formats.text(date, as: style)
            return text.isEmpty ? nil : text
        case is NSNumber where kind == .boolean: return nil
        case let number as NSNumber: return Decimal(string: "\(number)").map { formats.text($0, as: style) }
        default: return nil
        }
    }

    private static func many(_ ids: [NSManagedObjectID]) -> String {
        let shown = ids.prefix(20).map { PrintableText.escaped($0.shortText) }.joined(separator: " ")
        return ids.count > 20 ? "\(shown) … (\(ids.count))" : ids.isEmpty ? RunLanguage.text("(none)") : shown
    }
}
