import CoreDataWorkbench

/// Formats readings as cells of a table.
enum Cell {
    /// The number of characters of a text that a table can show, for a terminal's width.
    static func limit(_ width: Int?) -> Int { width ?? TextTable.widest + 1 }

    /// The reading as printable text, cut after `limit` characters, more than a line of the terminal can show.
    static func table(_ reading: PropertyReading, limit: Int) -> String {
        switch reading {
        case .null: "nil"
        case .value(let data as Data, _): "(\(data.count) bytes)"
        case .value(let value, let kind): PrintableText.escaped(ValueCoding.text(value, kind) ?? "nil", limit: limit)
        case .object(let id): PrintableText.escaped(id.shortText)
        case .objects(let ids, _): many(ids)
        case .text(let text): PrintableText.escaped(text, limit: limit)
        case .unreadable: "(unreadable)"
        }
    }

    private static func many(_ ids: [NSManagedObjectID]) -> String {
        let shown = ids.prefix(20).map { PrintableText.escaped($0.shortText) }.joined(separator: " ")
        return ids.count > 20 ? "\(shown) … (\(ids.count))" : ids.isEmpty ? "(none)" : shown
    }
}
