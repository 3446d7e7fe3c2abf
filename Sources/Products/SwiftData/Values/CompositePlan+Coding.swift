import Foundation

extension CompositePlan {
    /// Encodes a value as the elements of the attribute, by name.
    func encode(_ value: Any) throws -> [String: Any] {
        switch shape {
        case .rawValues:
            guard let raw = (value as? any RawRepresentable)?.rawValue as? any PersistentValue else {
                throw mismatch(value)
            }
            return [elements[0].name: raw.foundationValue as Any]
        case .cases:
            return try encodeCase(value)
        case .structure:
            guard let encodable = value as? any Encodable else { throw mismatch(value) }
            let encoder = ElementEncoder(plan: self)
            try encodable.encode(to: encoder)
            return encoder.values
        }
    }

    /// Decodes a value from the elements of the attribute.
    ///
    /// - Parameter defaults: the elements of the property's default value, for those that have none: a later version of
    ///   the type added them.
    func decode(_ values: [String: Any], defaults: [String: Any] = [:]) throws -> Any {
        switch shape {
        case .rawValues:
            guard let raw = type as? any RawRepresentable.Type,
                let value = raw.value(of: values[elements[0].name])
            else { throw SwiftDataError.modelValidationFailure.stating("No case of \(type) has the stored raw value.") }
            return value
        case .cases:
            return try decodeCase(values)
        case .structure:
            return try type.init(from: ElementDecoder(plan: self, values: values, defaults: defaults))
        }
    }

    private func encodeCase(_ value: Any) throws -> [String: Any] {
        guard let encodable = value as? any Encodable else { throw mismatch(value) }
        let json = try StoredJSON.encode(encodable)
        let names = try JSONDecoder().decode(CaseNames.self, from: json).names
        guard names.count == 1, let element = elements.first(where: { $0.name == names[0] }) else {
            throw mismatch(value)
        }
        if case .encoded = element.kind { return [element.name: json] }
        return [element.name: element.name]
    }

    private func decodeCase(_ values: [String: Any]) throws -> Any {
        for element in elements {
            switch values[element.name] {
            case let json as Data: return try StoredJSON.decode(type, from: json)
            case is String: return try type.decoded(from: JSONEncoder().encode([element.name: [String: String]()]))
            default: continue
            }
        }
        throw SwiftDataError.modelValidationFailure.stating("No case of \(type) is stored.")
    }

    private func mismatch(_ value: Any) -> SwiftDataError {
        .modelValidationFailure.stating("A value of type \(Swift.type(of: value)) is not one of \(type).")
    }

    func element(named name: String) throws -> Element {
        guard let element = elements.first(where: { $0.name == name }) else {
            throw SwiftDataError.modelValidationFailure.stating(
                "\(type) encodes '\(name)', and has no stored property of this name: its coding keys must be the names."
            )
        }
        return element
    }
}

extension RawRepresentable {
    fileprivate static func value(of foundationValue: Any?) -> Any? {
        guard let simple = RawValue.self as? any PersistentValue.Type,
            let raw = simple.value(of: foundationValue) as? RawValue
        else { return nil }
        return Self(rawValue: raw)
    }
}

extension PropertyKind {
    /// The value of an element in the form of its attribute.
    func encodeElement(_ value: Any) throws -> Any? {
        switch self {
        case .simple: (value as? any PersistentValue)?.foundationValue
        case .composite(let plan): try plan.encode(value)
        default: try (value as? any Encodable).map { try StoredJSON.encode($0) }
        }
    }

    /// The value of an element from the form of its attribute; nil for null.
    func decodeElement(_ stored: Any?, as type: any Decodable.Type) throws -> Any? {
        guard let stored, !(stored is NSNull) else { return nil }
        switch self {
        case .simple(let type): return type.value(of: stored)
        case .composite(let plan): return try (stored as? [String: Any]).map { try plan.decode($0) }
        default: return try (stored as? Data).map { try StoredJSON.decode(type, from: $0) }
        }
    }
}

extension Decodable {
    /// Decodes a value of text of JSON.
    static func decoded(from json: Data) throws -> Any { try JSONDecoder().decode(Self.self, from: json) }
}

/// The keys of an object of JSON: an enumeration encodes its value under the name of the case.
private struct CaseNames: Decodable {
    let names: [String]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
    }
}
