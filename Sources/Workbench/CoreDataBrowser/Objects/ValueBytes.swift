import CoreData

/// The bytes of one value as they are handed over, and what they are.
///
/// Data of a SQLite store is read part by part when it is asked for, so that memory is bounded by the parts. Any other value is
/// read whole.
struct ValueBytes: Sendable {
    /// The number of the bytes.
    let count: Int
    let type: String
    private let source: Source

    private enum Source: Sendable {
        case whole(Data)
        case stored(StoredData, NSPersistentStore)
    }

    /// The bytes of an attribute: data as stored, text in UTF-8, anything else as its JSON.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownKey`, and `BrowserFailure` for what is null or unreadable.
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

    /// A part of the bytes. What is not at hand is read on a thread that may take its time.
    ///
    /// - Throws: an error for a value that has changed since it was found.
    func part(_ range: Range<Int>) async throws -> [UInt8] {
        switch source {
        case .whole(let data): Array(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
        case .stored(let stored, let store):
            try await BrowsedStore.onOwnThread { Array(try store.bytes(range, of: stored)) }
        }
    }

    /// Data of which parts can be read; nil for all else, and where something is hidden, which only the object tells.
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

    /// The bytes of data as they are stored; nil for a transformable, of which only a transformer's result is read here.
    ///
    /// - Throws: as the initializer does, also for an attribute of another type.
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
