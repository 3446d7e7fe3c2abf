import CoreDataModeling

/// The Swift types of attributes, as Xcode chooses them.
///
/// | type | scalar | otherwise |
/// |---|---|---|
/// | Integer 16, 32, 64 | `Int16`, `Int32`, `Int64` | `NSNumber?` |
/// | Double, Float, Boolean | `Double`, `Float`, `Bool` | `NSNumber?` |
/// | Date | `TimeInterval` | `Date?` |
/// | String, Binary, UUID, URI, Decimal | – | `String?`, `Data?`, `UUID?`, `URL?`, `NSDecimalNumber?` |
/// | Transformable | – | the class that the model names, or `NSObject`, optional |
/// | Composite | – | `[String: Any]?` |
enum AttributeTypes {
    static func kind(of attribute: NSAttributeDescription, options: ClassOptions) throws -> ClassProperty.Kind {
        if attribute.attributeType == .transformableAttributeType || attribute.attributeType == .undefinedAttributeType
        {
            return .object(try objectType(of: attribute))
        }
        if options.usesScalars ?? attribute.usesScalarValueType ?? false,
            let scalar = scalar(attribute.attributeType)
        {
            return .attribute(scalar)
        }
        let isRequired = options.unwrapsRequired && !attribute.isOptional
        return .attribute(object(attribute.attributeType) + (isRequired ? "" : "?"))
    }

    private static func scalar(_ type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType: "Int16"
        case .integer32AttributeType: "Int32"
        case .integer64AttributeType: "Int64"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .booleanAttributeType: "Bool"
        case .dateAttributeType: "TimeInterval"
        default: nil
        }
    }

    private static func object(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "String"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Data"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "[String: Any]"
        case .transformableAttributeType, .undefinedAttributeType: "NSObject"
        }
    }

    /// The class that the model names for a transformable attribute; sources contain the name verbatim.
    static func objectType(of attribute: NSAttributeDescription) throws -> String {
        guard let name = attribute.declaredValueClassName, !name.isEmpty else { return "NSObject" }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        guard SwiftName.isType(plain) else {
            throw ModelingError(.invalidModel, "the class '\(name)' of '\(attribute.path)' is no Swift type")
        }
        return plain
    }
}

extension NSPropertyDescription {
    /// `Hero.name`, for messages.
    var path: String { "\(entity?.name ?? "?").\(name)" }
}
