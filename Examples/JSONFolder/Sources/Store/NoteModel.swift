import CoreData

/// Notes with a title, a text and tags.
enum NoteModel {
    static func make() -> NSManagedObjectModel {
        let (note, tag) = (NSEntityDescription(), NSEntityDescription())
        (note.name, tag.name) = ("Note", "Tag")
        note.properties = [text("title"), text("text")]
        tag.properties = [text("name")]
        let (tags, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
        (tags.name, notes.name) = ("tags", "notes")
        (tags.destinationEntity, notes.destinationEntity) = (tag, note)
        (tags.inverseRelationship, notes.inverseRelationship) = (notes, tags)
        for relationship in [tags, notes] {
            relationship.maxCount = 0
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        note.properties.append(tags)
        tag.properties.append(notes)
        let model = NSManagedObjectModel()
        model.entities = [note, tag]
        return model
    }

    private static func text(_ name: String) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        return attribute
    }
}
