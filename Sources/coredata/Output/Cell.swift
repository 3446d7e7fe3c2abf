import CoreDataInspection

/// What a reading looks like in a table and in CSV.
enum Cell {
    /// The reading in printable text; long texts are cut after `limit` characters, which no terminal has in a line.
    static func table(_ reading: Reading, limit: Int) -> String {
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

    /// The reading with nothing left out; nil for nil and for what cannot be read.
    static func csv(_ reading: Reading) -> String? {
        switch reading {
        case .null, .unreadable: nil
        case .value(let value, let kind): ValueCoding.text(value, kind)
        case .object(let id): id.uri
        case .objects(let ids, _): ids.map(\.uri).joined(separator: " ")
        case .text(let text): text
        }
    }

    private static func many(_ ids: [NSManagedObjectID]) -> String {
        let shown = ids.prefix(20).map { PrintableText.escaped($0.shortText) }.joined(separator: " ")
        return ids.count > 20 ? "\(shown) … (\(ids.count))" : ids.isEmpty ? "(none)" : shown
    }
}
