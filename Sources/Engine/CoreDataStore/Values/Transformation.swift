import CoreDataModeling

/// Values of transformable attributes to stored bytes and back, by the transformer that the model names.
///
/// Where the program does not have it, values are kept as secure archives, as Apple's framework keeps them then; that it is
/// missing is said when a store is added.
///
/// A transformer makes bytes of objects; one that inherits from `NSSecureUnarchiveFromDataTransformer`, as its name
/// says, makes objects of bytes, and is used the other way round.
package enum Transformation {
    /// The value that stored bytes stand for.
    package static func value(from data: Data, _ attribute: NSAttributeDescription) throws -> Any {
        if attribute.keepsStoredForm { return data }
        if let transformer = transformer(of: attribute) {
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            guard
                let value = isReversed ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
            else {
                throw ValueRejection.unreadable(attribute, RowTag.blob)
            }
            return value
        }
        do {
            if let value = try decodeArchive(data, allowing: []) { return value }
        } catch {
            throw missingTransformer(of: attribute).map { ValueRejection.noTransformer(attribute, $0) } ?? error
        }
        throw ValueRejection.unreadable(attribute, RowTag.blob)
    }

    /// The bytes to store for a value.
    package static func data(from value: Any, _ attribute: NSAttributeDescription) throws -> Data {
        if attribute.keepsStoredForm {
            guard let data = value as? Data else { throw ValueRejection.unacceptable(attribute, value) }
            return data
        }
        if let transformer = transformer(of: attribute) {
            let isReversed = transformer is NSSecureUnarchiveFromDataTransformer
            let stored = isReversed ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            guard let data = stored as? Data else {
                throw ValueRejection.unacceptable(attribute, value)
            }
            return data
        }
        do {
            if let data = try PlainValueArchive.data(of: value) { return data }
        } catch {
            throw ValueRejection.unacceptable(attribute, value)
        }
        guard let archivable = value as? NSObject else { throw ValueRejection.unacceptable(attribute, value) }
        return try NSKeyedArchiver.archivedData(withRootObject: archivable, requiringSecureCoding: true)
    }

    /// The transformer that the model names; nil where the default archive is meant, or takes the place of a missing one.
    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        guard let name = attribute.valueTransformerName, !name.isEmpty, !archivers.contains(name) else { return nil }
        if let transformer = ValueTransformer(forName: NSValueTransformerName(name)) { return transformer }
        // A transformer is often declared where the entity's class is.
        guard !name.contains("."), let entity = attribute.entity,
            let module = entity.knownClass?.module
        else { return nil }
        return ValueTransformer(forName: NSValueTransformerName("\(module).\(name)"))
    }

    /// The name of the transformer that the model asks for and the program does not have; nil where all is well.
    package static func missingTransformer(of attribute: NSAttributeDescription) -> String? {
        guard attribute.attributeType == .transformableAttributeType, !attribute.keepsStoredForm,
            let name = attribute.valueTransformerName,
            !name.isEmpty, !archivers.contains(name), transformer(of: attribute) == nil
        else { return nil }
        return name
    }

    private static let archivers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    ]
}
