import CoreData

/// The records of a reference store, as plain values: what is in memory, and what one JSON file holds.
struct RecordBook {
    /// One record; relationships are the reference objects of others.
    struct Record {
        var entity: String
        var version: UInt64
        var attributes: [String: Any] = [:]
        var toOne: [String: String] = [:]
        var toMany: [String: [String]] = [:]
    }

    /// By root entity and reference object.
    var records: [String: [String: Record]] = [:]
    var lastNumber = 0
    var metadata: [String: Any] = [:]

    /// A reference object that no record has had.
    mutating func nextReference(_ entity: String) -> String {
        lastNumber += 1
        return "\(entity)/\(lastNumber)"
    }
}

/// Writes a book as JSON and reads it again; every value is a text that its attribute's type gives a meaning.
struct BookCoding {
    let model: NSManagedObjectModel

    func data(_ book: RecordBook) throws -> Data {
        let roots = try book.records.mapValues { records in
            try records.mapValues { record in
                [
                    "entity": record.entity, "version": String(record.version), "toOne": record.toOne,
                    "toMany": record.toMany,
                    "attributes": try record.attributes.reduce(into: [String: Any]()) { texts, entry in
                        texts[entry.key] = try text(entry.value, attribute(entry.key, of: record.entity))
                    },
                ] as [String: Any]
            }
        }
        let metadata = try PropertyListSerialization.data(fromPropertyList: book.metadata, format: .binary, options: 0)
        return try JSONSerialization.data(
            withJSONObject: [
                "records": roots, "lastNumber": book.lastNumber, "metadata": metadata.base64EncodedString(),
            ],
            options: [.sortedKeys, .prettyPrinted])
    }

    static func metadata(_ data: Data) throws -> [String: Any] {
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        let bytes = (file["metadata"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
        return try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any] ?? [:]
    }

    func book(_ data: Data) throws -> RecordBook {
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        var book = RecordBook()
        book.metadata = try Self.metadata(data)
        book.lastNumber = (file["lastNumber"] as? NSNumber)?.intValue ?? 0
        for (root, records) in file["records"] as? [String: [String: [String: Any]]] ?? [:] {
            for (reference, fields) in records {
                var record = RecordBook.Record(entity: fields["entity"] as? String ?? "", version: 0)
                record.version = (fields["version"] as? String).flatMap { UInt64($0) } ?? 0
                record.toOne = fields["toOne"] as? [String: String] ?? [:]
                record.toMany = fields["toMany"] as? [String: [String]] ?? [:]
                for (key, text) in fields["attributes"] as? [String: Any] ?? [:] {
                    record.attributes[key] = try value(text, attribute(key, of: record.entity))
                }
                book.records[root, default: [:]][reference] = record
            }
        }
        return book
    }

    private func attribute(_ key: String, of entity: String) -> NSAttributeDescription? {
        model.entitiesByName[entity]?.attributesByName[key]
    }

    private func text(_ value: Any, _ attribute: NSAttributeDescription?) throws -> Any {
        switch attribute?.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            return String((value as? NSNumber)?.int64Value ?? 0)
        case .doubleAttributeType, .floatAttributeType:
            return String(((value as? NSNumber)?.doubleValue ?? 0).bitPattern)
        case .dateAttributeType: return String(((value as? Date)?.timeIntervalSinceReferenceDate ?? 0).bitPattern)
        case .decimalAttributeType: return (value as? NSDecimalNumber)?.stringValue ?? ""
        case .binaryDataAttributeType: return (value as? Data)?.base64EncodedString() ?? ""
        case .UUIDAttributeType: return (value as? UUID)?.uuidString ?? ""
        case .URIAttributeType: return (value as? URL)?.absoluteString ?? ""
        case .compositeAttributeType:
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            return try (value as? [String: Any] ?? [:]).reduce(into: [String: Any]()) { texts, entry in
                texts[entry.key] = try text(entry.value, elements.first { $0.name == entry.key })
            }
        case .transformableAttributeType:
            return try Transformation.data(from: value, attribute ?? NSAttributeDescription()).base64EncodedString()
        default: return value as? String ?? ""
        }
    }

    private func value(_ stored: Any, _ attribute: NSAttributeDescription?) throws -> Any? {
        let text = stored as? String ?? ""
        switch attribute?.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return Int64(text).map { NSNumber(value: $0) }
        case .booleanAttributeType: return text == "1"
        case .doubleAttributeType, .floatAttributeType: return UInt64(text).map { Double(bitPattern: $0) }
        case .dateAttributeType:
            return UInt64(text).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
        case .decimalAttributeType: return NSDecimalNumber(string: text)
        case .binaryDataAttributeType: return Data(base64Encoded: text)
        case .UUIDAttributeType: return UUID(uuidString: text)
        case .URIAttributeType: return URL(string: text)
        case .compositeAttributeType:
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            return try (stored as? [String: Any] ?? [:]).reduce(into: [String: Any]()) { values, entry in
                values[entry.key] = try value(entry.value, elements.first { $0.name == entry.key })
            }
        case .transformableAttributeType:
            return try Transformation.value(
                from: Data(base64Encoded: text) ?? Data(), attribute ?? NSAttributeDescription())
        default: return text
        }
    }
}
