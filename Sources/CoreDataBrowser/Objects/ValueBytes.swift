import CoreData

/// The bytes of one value as they are handed over, and what they are.
struct ValueBytes: Sendable {
    let bytes: Data
    let type: String

    /// The bytes of an attribute: data as stored, text in UTF-8, anything else as its JSON.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownKey`, and `BrowserFailure` for what is null or unreadable.
    init(_ reading: StoreReading, _ name: String, _ key: String) throws {
        let object = try reading.object(name)
        guard let attribute = reading.entity(of: object).attributesByName[key] else {
            throw InspectionError(
                .unknownKey, PrintableText.escaped(key, limit: 80),
                "entity '\(object.entity.name ?? "")' has no such attribute")
        }
        let found = reading.record(object).reading(of: attribute)
        switch found {
        case .null: throw BrowserFailure(404, "noValue", "'\(key)' of \(name) has no value")
        case .unreadable(let reason): throw BrowserFailure(422, "unreadable", "\(key): \(reason)")
        case .value(let data as Data, _): (bytes, type) = (data, Self.type(of: data))
        case .value(let text as String, _):
            (bytes, type) = (Data(text.utf8), "text/plain; charset=utf-8")
        default: (bytes, type) = (Data(JSONWriter.lines(found.json).utf8), "application/json; charset=utf-8")
        }
    }

    /// The type of pictures that can be nothing else than pictures; any other data is not to be interpreted.
    private static func type(of data: Data) -> String {
        let start = Array(data.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) { return "image/gif" }
        if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).elementsEqual("WEBP".utf8) { return "image/webp" }
        return "application/octet-stream"
    }
}
