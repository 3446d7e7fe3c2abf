import CoreDataModeling

/// Values of transformable attributes to stored bytes and back, by the transformer that the model names.
///
/// A transformer makes bytes of objects; one that inherits from `NSSecureUnarchiveFromDataTransformer`, as its name
/// says, makes objects of bytes, and is used the other way round.
enum Transformation {
    /// The value that stored bytes stand for.
    static func value(from data: Data, _ attribute: NSAttributeDescription) throws -> Any {
        if let transformer = try transformer(of: attribute) {
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            guard
                let value = isReversed ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
            else {
                throw ValueError.unreadable(attribute, RowTag.blob)
            }
            return value
        }
        guard let value = try decodeArchive(data, allowing: []) else {
            throw ValueError.unreadable(attribute, RowTag.blob)
        }
        return value
    }

    /// The bytes to store for a value.
    static func data(from value: Any, _ attribute: NSAttributeDescription) throws -> Data {
        if let transformer = try transformer(of: attribute) {
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            let stored = isReversed ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            guard let data = stored as? Data else {
                throw ValueError.unacceptable(attribute, value)
            }
            return data
        }
        guard let archivable = value as? NSObject else { throw ValueError.unacceptable(attribute, value) }
        return try NSKeyedArchiver.archivedData(withRootObject: archivable, requiringSecureCoding: true)
    }

    /// The transformer that the model names; nil where the default archive is meant.
    private static func transformer(of attribute: NSAttributeDescription) throws -> ValueTransformer? {
        guard let name = attribute.valueTransformerName, !name.isEmpty, !archivers.contains(name) else { return nil }
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(name)) else {
            throw ValueError.noTransformer(attribute, name)
        }
        return transformer
    }

    /// The name of the transformer that the model asks for and the program does not have; nil where all is well.
    static func missingTransformer(of attribute: NSAttributeDescription) -> String? {
        guard attribute.attributeType == .transformableAttributeType, let name = attribute.valueTransformerName,
            !name.isEmpty, !archivers.contains(name), ValueTransformer(forName: NSValueTransformerName(name)) == nil
        else { return nil }
        return name
    }

    private static let archivers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    ]
}
