import CoreData
import StoreContract

/// A model with an attribute of every type and a relationship of every shape.
package enum ShapesModel {
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Owner",
            [
                "number": .integer64AttributeType, "small": .integer16AttributeType, "middle": .integer32AttributeType,
                "large": .integer64AttributeType, "flag": .booleanAttributeType, "real": .doubleAttributeType,
                "single": .floatAttributeType, "decimal": .decimalAttributeType, "text": .stringAttributeType,
                "date": .dateAttributeType, "data": .binaryDataAttributeType, "file": .binaryDataAttributeType,
                "identifier": .UUIDAttributeType, "link": .URIAttributeType, "list": .transformableAttributeType,
            ])
        builder.entity("Node", ["number": .integer64AttributeType, "text": .stringAttributeType])
        builder.entity("Leaf", in: "Node", ["date": .dateAttributeType])
        builder.entity("Bud", in: "Leaf", ["flag": .booleanAttributeType])
        builder.entity("Part", ["number": .integer64AttributeType, "text": .stringAttributeType])
        builder.attribute("Owner.file").allowsExternalBinaryDataStorage = true
        builder.attribute("Owner.list").valueTransformerName = "NSSecureUnarchiveFromDataTransformer"

        builder.relationships("Owner.only", "Node.onlyOf")
        builder.relationships("Owner.nodes*", "Node.owner")
        builder.relationships("Owner.groups*", "Node.groupOf*")
        builder.relationships("Owner.sequence*!", "Node.sequenceOf")
        builder.relationships("Owner.ranking*!", "Node.rankedBy*")
        builder.relationships("Owner.favorite", "Leaf.fans*")
        builder.relationships("Owner.parts*", "Part.whole", .cascadeDeleteRule)
        builder.relationships("Node.partner", "Node.partnerOf")
        builder.relationships("Node.friends*", "Node.friendOf*")
        builder.relationships("Node.children*", "Node.parent", .cascadeDeleteRule)
        builder.relationships("Owner.wards*", "Node.warden", .denyDeleteRule)
        builder.reflexive("Node.spouse")
        builder.reflexive("Node.mates*")
        builder.relationship("Owner.loose", to: "Node")
        builder.relationship("Owner.looseMany*", to: "Leaf")
        return builder.model
    }

    /// The entities that objects are made of.
    package static let entities = ["Owner", "Node", "Leaf", "Bud", "Part"]
    /// The entities that have no other above them.
    package static let roots = ["Owner", "Node", "Part"]
}
