import CoreDataGraph
import Testing

/// Books with pages, tags and authors, to which a check adds derived attributes.
enum DerivedLibrary {
    static func builder() -> ModelBuilder {
        let builder = ModelBuilder()
        builder.entity("Author", ["name": .stringAttributeType])
        builder.entity("Book", ["title": .stringAttributeType])
        builder.entity("Novel", in: "Book")
        builder.entity("Thriller", in: "Novel")
        builder.entity("Page", ["length": .integer32AttributeType, "weight": .doubleAttributeType])
        builder.entity("Tag", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        builder.relationships("Author.books*", "Book.author")
        builder.relationships("Book.pages*", "Page.book")
        builder.relationships("Book.tags*", "Tag.books*")
        builder.relationships("Book.sequels*", "Book.original")
        builder.relationship("Book.notes*", to: "Page")
        return builder
    }

    static func integer(_ object: NSManagedObject, _ key: String) -> Int? { object.value(forKey: key) as? Int }

    static func text(_ object: NSManagedObject, _ key: String) -> String? { object.value(forKey: key) as? String }

    /// Expects values of an object in its context, and in a new context that reads the object from the store.
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
