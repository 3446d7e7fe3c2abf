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
            let name = try caseName(of: value)
            return [name: name]
        case .structure:
            guard let encodable = value as? any Encodable else { throw mismatch(value) }
            let encoder = ElementEncoder(plan: self)
            try encodable.encode(to: encoder)
            return encoder.values
        }
    }

    /// Decodes a value from the elements of the attribute.
    func decode(_ values: [String: Any]) throws -> Any {
        switch shape {
        case .rawValues:
            guard let raw = type as? any RawRepresentable.Type,
                let value = raw.value(of: values[elements[0].name])
            else { throw SwiftDataError.modelValidationFailure.stating("No case of \(type) has the stored raw value.") }
            return value
        case .cases:
            guard let name = elements.first(where: { values[$0.name] is String })?.name else {
                throw SwiftDataError.modelValidationFailure.stating("No case of \(type) is stored.")
            }
            return try type.decoded(from: JSONEncoder().encode([name: [String: String]()]))
        case .structure:
            return try type.init(from: ElementDecoder(plan: self, values: values))
        }
    }

    private func caseName(of value: Any) throws -> String {
        guard let encodable = value as? any Encodable,
            let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(encodable)) as? [String: Any],
            object.count == 1, let name = object.keys.first, elements.contains(where: { $0.name == name })
        else { throw mismatch(value) }
        return name
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
        default: try (value as? any Encodable).map { try JSONEncoder().encode($0) }
        }
    }

    /// The value of an element from the form of its attribute; nil for null.
    func decodeElement(_ stored: Any?, as type: any Decodable.Type) throws -> Any? {
        guard let stored, !(stored is NSNull) else { return nil }
        switch self {
        case .simple(let type): return type.value(of: stored)
        case .composite(let plan): return try (stored as? [String: Any]).map(plan.decode)
        default: return try (stored as? Data).map { try type.decoded(from: $0) }
        }
    }
}

extension Decodable {
    /// Decodes a value of text of JSON.
    static func decoded(from json: Data) throws -> Any { try JSONDecoder().decode(Self.self, from: json) }
}
