import CoreDataModeling

/// Converts values of transformable attributes to stored bytes and back, with the value transformer that the model
/// names.
///
/// If the program lacks the transformer, values are stored as secure archives, as in Apple's framework; a warning is
/// logged when the store is added.
///
/// Most transformers convert objects to bytes. A subclass of `NSSecureUnarchiveFromDataTransformer` converts bytes to
/// objects, so its two directions are used in reverse.
package enum Transformation {
    /// Decodes stored bytes.
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

    /// The transformer that the model names; nil if values are archived, because the model requests that or because the
    /// program lacks the transformer.
    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        guard let name = attribute.valueTransformerName, !name.isEmpty, !archivers.contains(name) else { return nil }
        if let transformer = ValueTransformer(forName: NSValueTransformerName(name)) { return transformer }
        // The name may lack the module: the transformer is often declared in the module of the entity's class.
        guard !name.contains("."), let entity = attribute.entity,
            let module = entity.knownClass?.module
        else { return nil }
        return ValueTransformer(forName: NSValueTransformerName("\(module).\(name)"))
    }

    /// The name of the transformer that the model names and the program lacks; nil if the program has it or none is
    /// needed.
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
