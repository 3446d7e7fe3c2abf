import CoreDataWorkbench

/// What a reading looks like in a table.
enum Cell {
    /// How many characters of a text a table can show.
    static func limit(_ width: Int?) -> Int { width ?? TextTable.widest + 1 }

    /// The reading in printable text; long texts are cut after `limit` characters, which no terminal has in a line.
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
