import CoreData

/// The preview of an object that is shown beside a link to it: a few lines of text.
struct ObjectPreview {
    private static let lineLimit = 8

    let reading: StoreReading

    /// `{"id", "label", "entity", "lines": [{"name", "text"}]}`
    func json(_ object: NSManagedObject) -> JSONValue {
        let record = reading.record(object)
        let entity = reading.entity(of: object)
        let toOne = entity.relationshipsByName.values.filter { !$0.isToMany && !$0.isTransient }
        var lines: [JSONValue] = []
        for (name, value) in reading.attributes(of: object)
        where name != entity.labelKey && lines.count < Self.lineLimit {
            if let text = text(value) { lines.append(line(name, text)) }
        }
        for relationship in toOne.sorted(by: { $0.name < $1.name }) where lines.count < Self.lineLimit {
            guard case .object(let id) = record.reading(of: relationship) else { continue }
            lines.append(line(relationship.name, reading.label(of: reading.context.object(with: id))))
        }
        return .object([
            ("id", .string(reading.name(of: object))), ("label", .string(reading.label(of: object))),
            ("entity", .text(entity.name)), ("lines", .array(lines)),
        ])
    }

    private func line(_ name: String, _ text: String) -> JSONValue {
        .object([("name", .string(name)), ("text", .string(text))])
    }

    /// The value in one line; nil for null and for an empty text.
    private func text(_ value: PropertyReading) -> String? {
        switch ShownValue(value).json {
        case .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .members where value.isData: return value.data.map { "\($0.count) bytes" }
        case .bool(let flag): return flag ? "YES" : "NO"
        case let other: return String(JSONWriter.line(other).unicodeScalars.prefix(ShownValue.longestText))
        }
    }
}

extension PropertyReading {
    /// The bytes of binary data, or of a transformed value that is shown as it is stored; nil for anything else.
    var data: Data? {
        switch self {
        case .value(let data as Data, .binary), .value(let data as Data, .transformable): data
        default: nil
        }
    }

    var isData: Bool { data != nil }
}
