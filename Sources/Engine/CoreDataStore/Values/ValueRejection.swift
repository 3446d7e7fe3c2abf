import CoreDataModeling

/// Why an attribute cannot have a value; names the type of the value, never the value itself.
public struct ValueRejection: Error, CustomStringConvertible, Sendable {
    /// The kinds of reasons.
    public enum Code: Sendable {
        /// The value given has another type.
        case unacceptableType
        /// The number given is outside the type's range.
        case outOfRange
        /// The stored bytes do not represent a value of the type.
        case unreadable
        /// The property cannot be set.
        case readOnly
    }

    /// The kind of reason.
    public let code: Code
    /// The name of the entity.
    public let entity: String
    /// The name of the property.
    public let key: String
    /// A sentence with the entity, the property and the cause; never contains the value.
    public let description: String

    package static func unacceptable(_ attribute: NSAttributeDescription, _ value: Any) -> ValueRejection {
        ValueRejection(
            .unacceptableType, attribute: attribute,
            description: "Unacceptable type of value for attribute: property = \"\(attribute.name)\"; desired type = "
                + "\(AttributeKind(attribute).valueTypeName); given type = \(type(of: value)); "
                + "entity = \(attribute.entity?.name ?? "?").")
    }

    package static func derived(_ attribute: NSAttributeDescription) -> ValueRejection {
        ValueRejection(
            .readOnly, attribute: attribute,
            description:
                "'\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' is derived and cannot be set.")
    }

    package static func range(_ attribute: NSAttributeDescription) -> ValueRejection {
        ValueRejection(
            .outOfRange, attribute: attribute,
            description:
                "The number given for '\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' is outside the range "
                + "of \(AttributeKind(attribute)).")
    }

    package static func unreadable(_ attribute: NSAttributeDescription, _ tag: UInt8) -> ValueRejection {
        let found = ["null", "an integer", "a real number", "a text", "a blob"]
        return ValueRejection(
            .unreadable, attribute: attribute,
            description: "The stored value of '\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' is "
                + "\(Int(tag) < found.count ? found[Int(tag)] : "unknown"), which is no \(AttributeKind(attribute)).")
    }

    /// The error for a stored integer that is outside of the attribute's range.
    package static func storedRange(_ attribute: NSAttributeDescription) -> ValueRejection {
        ValueRejection(
            .unreadable, attribute: attribute,
            description:
                "The stored value of '\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' is an integer outside the "
                + "range of \(AttributeKind(attribute)).")
    }

    /// The error for stored bytes that a decoder refused, with the decoder's error.
    package static func undecodable(_ attribute: NSAttributeDescription, _ cause: any Error) -> ValueRejection {
        ValueRejection(
            .unreadable, attribute: attribute,
            description:
                "The stored value of '\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' cannot be read: \(cause)"
        )
    }

    package static func unreachable(_ attribute: NSAttributeDescription) -> ValueRejection {
        ValueRejection(
            .unreadable, attribute: attribute,
            description:
                "The value of '\(attribute.name)' of entity '\(attribute.entity?.name ?? "?")' may be in a file of its "
                + "own, and the store has been removed.")
    }

    package static func noTransformer(_ attribute: NSAttributeDescription, _ name: String) -> ValueRejection {
        ValueRejection(
            .unreadable, attribute: attribute,
            description: "No value transformer named '\(name)' is registered for '\(attribute.name)' of entity "
                + "'\(attribute.entity?.name ?? "?")', so its values are kept as secure archives. Register it with "
                + "ValueTransformer.setValueTransformer(_:forName:) before the store is added."
        )
    }

    private init(_ code: Code, attribute: NSAttributeDescription, description: String) {
        self.init(code, entity: attribute.entity?.name ?? "?", key: attribute.name, description)
    }

    package init(_ code: Code, entity: String, key: String, _ description: String) {
        self.code = code
        self.entity = entity
        self.key = key
        self.description = description
    }
}
