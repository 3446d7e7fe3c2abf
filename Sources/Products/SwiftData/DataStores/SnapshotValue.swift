import CoreDataGraph
import Foundation

/// A value of a snapshot. In JSON, a truth value, a number and a text are themselves, and others an object with one key
/// that names the kind.
enum SnapshotValue: Hashable, Sendable {
    case none
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case date(Date)
    case bytes(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)
    /// The members of a structure or an enumeration.
    case members([String: SnapshotValue])
    case model(PersistentIdentifier)
    case models([PersistentIdentifier])
}

extension SnapshotValue {
    /// The value in the form that key-value coding has it in; nil for one of a kind that no attribute has.
    init?(stored value: Any?, of type: NSAttributeDescription.AttributeType) {
        switch (type, value) {
        case (_, nil), (_, is NSNull): self = .none
        case (.boolean, let number as NSNumber): self = .bool(number.boolValue)
        case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
            (.integer64, let number as NSNumber):
            self = .integer(number.int64Value)
        case (.decimal, let number as NSDecimalNumber): self = .decimal(number.decimalValue)
        case (.decimal, let number as Decimal): self = .decimal(number)
        case (_, let number as NSNumber): self = .real(number.doubleValue)
        case (_, let text as String): self = .text(text)
        case (_, let date as Date): self = .date(date)
        case (_, let bytes as Data): self = .bytes(bytes)
        case (_, let uuid as UUID): self = .uuid(uuid)
        case (_, let url as URL): self = .url(url)
        default: return nil
        }
    }

    /// The value for an attribute of a type; nil for none, and for a value of another kind.
    func stored(as type: NSAttributeDescription.AttributeType) -> Any? {
        switch (type, self) {
        case (.boolean, .bool(let value)): NSNumber(value: value)
        case (.boolean, .integer(let value)): NSNumber(value: value != 0)
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
            NSNumber(value: value)
        case (.integer64, .real(let value)): Int64(exactly: value).map { NSNumber(value: $0) }
        case (.double, .real(let value)), (.float, .real(let value)): NSNumber(value: value)
        case (.double, .integer(let value)), (.float, .integer(let value)): NSNumber(value: Double(value))
        case (.decimal, .decimal(let value)): value as NSDecimalNumber
        case (.decimal, .integer(let value)): NSDecimalNumber(value: value)
        case (.string, .text(let value)): value
        case (.date, .date(let value)): value
        case (.uuid, .uuid(let value)): value
        case (.uri, .url(let value)): value
        case (.binaryData, .bytes(let value)), (.transformable, .bytes(let value)): value
        default: nil
        }
    }

    /// The value with identifiers replaced.
    func remapped(_ identifiers: [PersistentIdentifier: PersistentIdentifier]) -> SnapshotValue {
        switch self {
        case .model(let model): .model(identifiers[model] ?? model)
        case .models(let models): .models(models.map { identifiers[$0] ?? $0 })
        default: self
        }
    }
}

extension SnapshotValue: Codable {
    private enum Kind: String, CodingKey { case date, bytes, uuid, url, decimal, members, model, models }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .none: try single(encoder) { try $0.encodeNil() }
        case .bool(let value): try single(encoder) { try $0.encode(value) }
        case .integer(let value): try single(encoder) { try $0.encode(value) }
        case .real(let value): try single(encoder) { try $0.encode(value) }
        case .text(let value): try single(encoder) { try $0.encode(value) }
        case .date(let value): try keyed(encoder, .date, value.timeIntervalSinceReferenceDate)
        case .bytes(let value): try keyed(encoder, .bytes, value.base64EncodedString())
        case .uuid(let value): try keyed(encoder, .uuid, value)
        case .url(let value): try keyed(encoder, .url, value.absoluteString)
        case .decimal(let value): try keyed(encoder, .decimal, "\(value)")
        case .members(let values): try keyed(encoder, .members, values)
        case .model(let identifier): try keyed(encoder, .model, identifier)
        case .models(let identifiers): try keyed(encoder, .models, identifiers)
        }
    }

    private func single(
        _ encoder: any Encoder, _ body: (inout any SingleValueEncodingContainer) throws -> Void
    ) throws {
        var container = encoder.singleValueContainer()
        try body(&container)
    }

    private func keyed(_ encoder: any Encoder, _ kind: Kind, _ value: some Encodable) throws {
        var container = encoder.container(keyedBy: Kind.self)
        try container.encode(value, forKey: kind)
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Kind.self), let kind = container.allKeys.first {
            self = try Self.decode(kind, container)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    private static func decode(_ kind: Kind, _ container: KeyedDecodingContainer<Kind>) throws -> SnapshotValue {
        func parsed<Value>(_ make: (String) -> Value?) throws -> Value {
            guard let value = make(try container.decode(String.self, forKey: kind)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: kind, in: container, debugDescription: "the text is not one of kind '\(kind.rawValue)'")
            }
            return value
        }
        switch kind {
        case .date:
            return .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: kind)))
        case .bytes: return .bytes(try parsed { Data(base64Encoded: $0) })
        case .uuid: return .uuid(try container.decode(UUID.self, forKey: kind))
        case .url: return .url(try parsed { URL(string: $0) })
        case .decimal: return .decimal(try parsed { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) })
        case .members: return .members(try container.decode([String: SnapshotValue].self, forKey: kind))
        case .model: return .model(try container.decode(PersistentIdentifier.self, forKey: kind))
        case .models: return .models(try container.decode([PersistentIdentifier].self, forKey: kind))
        }
    }
}
