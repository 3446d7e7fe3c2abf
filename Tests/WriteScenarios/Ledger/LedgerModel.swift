import CoreData
import StoreContract

/// The model of the stores that a process is killed over: every way in which a save can touch several tables.
package enum LedgerModel {
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Counter", ["number": .integer64AttributeType, "checksum": .stringAttributeType])
        builder.entity(
            "Item",
            [
                "number": .integer64AttributeType, "generation": .integer64AttributeType,
                "text": .stringAttributeType, "amount": .doubleAttributeType, "payload": .binaryDataAttributeType,
            ])
        builder.entity("SpecialItem", in: "Item", ["extra": .stringAttributeType])
        builder.entity("Shelf", ["number": .integer64AttributeType, "generation": .integer64AttributeType])
        builder.entity("Tag", ["number": .integer64AttributeType])
        builder.attribute("Item.payload").allowsExternalBinaryDataStorage = true
        builder.relationships("Shelf.items*!", "Item.shelf")
        builder.relationships("Item.tags*", "Tag.items*")
        builder.relationships("Item.neighbours*", "Item.neighbourOf*")
        return builder.model
    }
}
