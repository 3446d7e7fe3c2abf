import CoreData

extension OpenStore {
    /// Decodes the stored bytes of an attribute.
    ///
    /// The store must have been opened for exporting, so that transformers do not run.
    /// - Throws: `InspectionError`: `noObject`, `unknownKey`, or `badValue` if the value is not bytes.
    package func decodedValue(of key: String, at address: String) throws -> DecodedValue {
        try withObject(at: address) { record in
            guard let attribute = record.object.entity.attributesByName[key] else {
                throw KeyRoute.unknown(key, of: record.object.entity, path: key)
            }
            guard case .value(let data as Data, _) = record.reading(of: attribute) else {
                throw InspectionError(
                    .badValue, subject: "\(record.id.shortText) \(key)", cause: "there are no stored bytes to decode",
                    hint: "name an attribute of data or of transformed values that is not nil")
            }
            return DecodedValue(data)
        }
    }
}
