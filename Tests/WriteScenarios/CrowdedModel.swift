import CoreData
import StoreContract

/// A model with one attribute whose large values are kept in files.
package enum CrowdedModel {
    package static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity("Photo", ["bytes": .binaryDataAttributeType])
        draft.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
        return draft.model
    }
}
