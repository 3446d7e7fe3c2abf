import CoreData
import StoreContract

/// The model of the stores that a process is killed over: every way in which a save can touch several tables.
package enum LedgerModel {
    package static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Counter", ["number": .integer64AttributeType, "checksum": .stringAttributeType])
        draft.entity(
            "Item",
            [
                "number": .integer64AttributeType, "generation": .integer64AttributeType,
                "text": .stringAttributeType, "amount": .doubleAttributeType, "payload": .binaryDataAttributeType,
            ])
        draft.entity("SpecialItem", in: "Item", ["extra": .stringAttributeType])
        draft.entity("Shelf", ["number": .integer64AttributeType, "generation": .integer64AttributeType])
        draft.entity("Tag", ["number": .integer64AttributeType])
        draft.attribute("Item.payload").allowsExternalBinaryDataStorage = true
        draft.relationships("Shelf.items*!", "Item.shelf")
        draft.relationships("Item.tags*", "Tag.items*")
        draft.relationships("Item.neighbours*", "Item.neighbourOf*")
        return draft.model
    }
}
