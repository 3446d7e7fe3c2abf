import CoreData

/// The bytes of one value as they are sent, and their media type.
///
/// Data of a SQLite store is read in parts on demand, so that the size of a part bounds memory. Any other value is
/// read completely.
struct ValueBytes: Sendable {
    /// The number of bytes.
    let count: Int
    let type: String
    private let source: Source

    private enum Source: Sendable {
        case whole(Data)
        case stored(StoredData, NSPersistentStore)
    }

    /// The bytes of an attribute: data as stored, text in UTF-8, anything else as its JSON.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownKey`, and `BrowserFailure` for what is null or
    ///   unreadable.
    init(_ reading: StoreReading, name: String, key: String) throws {
        if let stored = try Self.parts(reading, name: name, key: key) {
            let store = reading.opened.store
            let start = try store.bytes(0..<min(stored.count, MediaKind.length), of: stored)
            (count, source) = (stored.count, .stored(stored, store))
            type = MediaKind.type(of: start) ?? "application/octet-stream"
            return
        }
        let object = try reading.object(name)
        let attribute = try Self.attribute(key, of: reading.entity(of: object))
        let found = reading.record(object).reading(of: attribute)
        let bytes: Data
        switch found {
        case .null: throw BrowserFailure(404, code: "noValue", reason: "'\(key)' of \(name) has no value")
        case .unreadable(let reason): throw BrowserFailure(422, code: "unreadable", reason: "\(key): \(reason)")
        case .value(let data as Data, _): (bytes, type) = (data, MediaKind.type(of: data) ?? "application/octet-stream")
        case .value(let text as String, _):
            (bytes, type) = (Data(text.utf8), "text/plain; charset=utf-8")
        default: (bytes, type) = (Data(JSONWriter.lines(found.json).utf8), "application/json; charset=utf-8")
        }
        (count, source) = (bytes.count, .whole(bytes))
    }

    /// A part of the bytes. Bytes that are not in memory are read on a thread of their own.
    ///
    /// - Throws: An error for a value that has changed since `init`.
    func part(_ range: Range<Int>) async throws -> [UInt8] {
        switch source {
        case .whole(let data): Array(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
        case .stored(let stored, let store):
            try await BrowsedStore.onOwnThread { Array(try store.bytes(range, of: stored)) }
        }
    }

    /// Data that can be read in parts; nil for any other value, and if anything is hidden from the user: the object
    /// must be read to find its entity.
    private static func parts(_ reading: StoreReading, name: String, key: String) throws -> StoredData? {
        guard reading.opened.hidden == nil else { return nil }
        return try reading.opened.store.storedData(of: key, of: reading.identifier(at: name))
    }

    private static func attribute(_ key: String, of entity: NSEntityDescription) throws -> NSAttributeDescription {
        if let attribute = entity.attributesByName[key] { return attribute }
        throw InspectionError(
            .unknownKey, subject: PrintableText.escaped(key, limit: 80),
            cause: "entity '\(entity.name ?? "")' has no such attribute",
            hint: NameSuggestion(for: key, in: entity.attributesByName.keys)?.question)
    }

    /// The stored bytes of binary data; nil for a transformable attribute, since only the transformer's result can be
    /// read here.
    ///
    /// - Throws: As the initializer does; also for an attribute of another type.
    static func stored(_ reading: StoreReading, name: String, key: String) throws -> Data? {
        let object = try reading.object(name)
        let attribute = try Self.attribute(key, of: reading.entity(of: object))
        switch AttributeKind(attribute) {
        case .binary:
            guard case .value(let data as Data, _) = reading.record(object).reading(of: attribute) else {
                throw BrowserFailure(404, code: "noValue", reason: "'\(key)' of \(name) has no value that can be read")
            }
            return data
        case .transformable: return nil
        default:
            throw BrowserFailure(
                422, code: "notBytes", reason: "'\(key)' is not an attribute of data or of transformed values")
        }
    }
}
