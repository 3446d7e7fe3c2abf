import CoreDataGraph
import Testing

/// Books with pages, tags and authors, to which a check adds derived attributes.
enum DerivedLibrary {
    static func draft() -> ModelDraft {
        let draft = ModelDraft()
        draft.entity("Author", ["name": .stringAttributeType])
        draft.entity("Book", ["title": .stringAttributeType])
        draft.entity("Novel", in: "Book")
        draft.entity("Thriller", in: "Novel")
        draft.entity("Page", ["length": .integer32AttributeType, "weight": .doubleAttributeType])
        draft.entity("Tag", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        draft.relationships("Author.books*", "Book.author")
        draft.relationships("Book.pages*", "Page.book")
        draft.relationships("Book.tags*", "Tag.books*")
        draft.relationships("Book.sequels*", "Book.original")
        draft.relationship("Book.notes*", to: "Page")
        return draft
    }

    static func integer(_ object: NSManagedObject, _ key: String) -> Int? { object.value(forKey: key) as? Int }

    static func text(_ object: NSManagedObject, _ key: String) -> String? { object.value(forKey: key) as? String }

    /// The values that an object has in its context, and in one that has just read it.
    static func expect(
        _ stack: Stack, object: NSManagedObject, expected: [String: AnyHashable?],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let fresh = try stack.newContext().existingObject(with: object.objectID)
        for (key, value) in expected {
            #expect(object.value(forKey: key) as? AnyHashable == value, "\(key)", sourceLocation: location)
            #expect(fresh.value(forKey: key) as? AnyHashable == value, "\(key), fresh", sourceLocation: location)
        }
    }
}
