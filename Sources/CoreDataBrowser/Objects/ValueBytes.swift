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
        case .value(let data as Data, _): (bytes, type) = (data, MediaKind.type(of: data) ?? "application/octet-stream")
        case .value(let text as String, _):
            (bytes, type) = (Data(text.utf8), "text/plain; charset=utf-8")
        default: (bytes, type) = (Data(JSONWriter.lines(found.json).utf8), "application/json; charset=utf-8")
        }
    }

    /// The bytes of data as they are stored; nil for a transformable, of which only a transformer's result is read here.
    ///
    /// - Throws: as the initializer does, also for an attribute of another type.
    static func stored(_ reading: StoreReading, _ name: String, _ key: String) throws -> Data? {
        let object = try reading.object(name)
        guard let attribute = reading.entity(of: object).attributesByName[key] else {
            throw InspectionError(
                .unknownKey, PrintableText.escaped(key, limit: 80),
                "entity '\(object.entity.name ?? "")' has no such attribute")
        }
        switch AttributeKind(attribute) {
        case .binary:
            guard case .value(let data as Data, _) = reading.record(object).reading(of: attribute) else {
                throw BrowserFailure(404, "noValue", "'\(key)' of \(name) has no value that can be read")
            }
            return data
        case .transformable: return nil
        default:
            throw BrowserFailure(422, "notBytes", "'\(key)' is no attribute of data or of transformed values")
        }
    }
}
