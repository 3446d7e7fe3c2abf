import CoreData
import StoreContract

/// A model with one attribute whose large values are kept in files.
package enum CrowdedModel {
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Photo", ["bytes": .binaryDataAttributeType])
        builder.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
        return builder.model
    }
}
