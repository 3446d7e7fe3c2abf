import CoreData
import StoreContract

/// A model with an attribute of every type and a relationship of every shape.
package enum ShapesModel {
    package static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Owner",
            [
                "number": .integer64AttributeType, "small": .integer16AttributeType, "middle": .integer32AttributeType,
                "large": .integer64AttributeType, "flag": .booleanAttributeType, "real": .doubleAttributeType,
                "single": .floatAttributeType, "decimal": .decimalAttributeType, "text": .stringAttributeType,
                "date": .dateAttributeType, "data": .binaryDataAttributeType, "file": .binaryDataAttributeType,
                "identifier": .UUIDAttributeType, "link": .URIAttributeType, "list": .transformableAttributeType,
            ])
        draft.entity("Node", ["number": .integer64AttributeType, "text": .stringAttributeType])
        draft.entity("Leaf", in: "Node", ["date": .dateAttributeType])
        draft.entity("Bud", in: "Leaf", ["flag": .booleanAttributeType])
        draft.entity("Part", ["number": .integer64AttributeType, "text": .stringAttributeType])
        draft.attribute("Owner.file").allowsExternalBinaryDataStorage = true
        draft.attribute("Owner.list").valueTransformerName = "NSSecureUnarchiveFromDataTransformer"

        draft.relationships("Owner.only", "Node.onlyOf")
        draft.relationships("Owner.nodes*", "Node.owner")
        draft.relationships("Owner.groups*", "Node.groupOf*")
        draft.relationships("Owner.sequence*!", "Node.sequenceOf")
        draft.relationships("Owner.ranking*!", "Node.rankedBy*")
        draft.relationships("Owner.favorite", "Leaf.fans*")
        draft.relationships("Owner.parts*", "Part.whole", .cascadeDeleteRule)
        draft.relationships("Node.partner", "Node.partnerOf")
        draft.relationships("Node.friends*", "Node.friendOf*")
        draft.relationships("Node.children*", "Node.parent", .cascadeDeleteRule)
        draft.relationships("Owner.wards*", "Node.warden", .denyDeleteRule)
        draft.reflexive("Node.spouse")
        draft.reflexive("Node.mates*")
        draft.relationship("Owner.loose", to: "Node")
        draft.relationship("Owner.looseMany*", to: "Leaf")
        return draft.model
    }

    /// The entities that objects are made of.
    package static let entities = ["Owner", "Node", "Leaf", "Bud", "Part"]
    /// The entities that have no other above them.
    package static let roots = ["Owner", "Node", "Part"]
}
