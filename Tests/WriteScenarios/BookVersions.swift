import CoreData
import StoreContract

/// Two versions of a model, a mapping model between them, and what a store has before and after: for migrations that are
/// cut off.
///
/// The mapping model renames attributes without saying so in the model, and computes one, which nothing infers.
package enum BookVersions {
    private static let count = 120

    package static func old() -> NSManagedObjectModel { version(text: "title", number: "part") }

    package static func new() -> NSManagedObjectModel { version(text: "name", number: "number") }

    private static func version(text: String, number: String) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Book",
            [text: .stringAttributeType, number: .integer32AttributeType, "cover": .binaryDataAttributeType])
        builder.attribute("Book.cover").allowsExternalBinaryDataStorage = true
        builder.relationships("Book.sequels*", "Book.forerunner")
        return builder.model
    }

    /// Makes a store of the old version, and the mapping model beside it.
    package static func make(in folder: URL) throws -> URL {
        let (old, new) = (old(), new())
        let url = folder.appendingPathComponent("Books.sqlite")
        let context = try Opened.context(url.path, old)
        try context.performAndWait {
            var former: NSManagedObject?
            for number in 0..<count {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(number % 3, forKey: "part")
                if number % 40 == 0 { book.setValue(cover(number), forKey: "cover") }
                book.setValue(former, forKey: "forerunner")
                former = book
            }
            try context.save()
        }
        try close(context)
        try mapping(old, new).compiledData().write(to: folder.appendingPathComponent("Books.cdm"))
        return url
    }

    /// Opens a store with the new version, which migrates one of the old; gives what it has.
    package static func migrate(_ url: URL) throws -> [String] {
        let context = try Opened.context(
            url.path, new(),
            [
                NSMigratePersistentStoresAutomaticallyOption: true,
                CoreDataMigrationResourcesOption: [url.deletingLastPathComponent()],
            ])
        defer { try? close(context) }
        return try lines(of: context) { "\($0.value(forKey: "name") ?? "").\($0.value(forKey: "number") ?? "")" }
    }

    /// What a store of the old version has, in the words of the new one.
    package static func oldLines(_ url: URL) throws -> [String] {
        let context = try Opened.context(url.path, old())
        defer { try? close(context) }
        return try lines(of: context) { book in
            "\(book.value(forKey: "title") ?? "").\((book.value(forKey: "part") as? Int ?? 0) + 100)"
        }
    }

    /// What every whole store has, of whichever version.
    package static let lines: [String] = (0..<count).map { number in
        let cover = number % 40 == 0 ? cover(number) : Data()
        let former = number == 0 ? "" : name(number - 1)
        return "\(name(number)) < \(former) \(cover.outline)"
    }.sorted()

    private static func name(_ number: Int) -> String { "Book \(number).\(number % 3 + 100)" }

    private static func lines(
        of context: NSManagedObjectContext, _ name: (NSManagedObject) -> String
    ) throws -> [String] {
        try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).map { book in
                let former = (book.value(forKey: "forerunner") as? NSManagedObject).map(name)
                let cover = book.value(forKey: "cover") as? Data ?? Data()
                return "\(name(book)) < \(former ?? "") \(cover.outline)"
            }.sorted()
        }
    }

    private static func cover(_ number: Int) -> Data { Data(repeating: UInt8(number), count: 150_000) }

    private static func mapping(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) -> NSMappingModel {
        let books = NSEntityMapping()
        books.name = "Books"
        books.mappingType = .transformEntityMappingType
        (books.sourceEntityName, books.destinationEntityName) = ("Book", "Book")
        books.sourceEntityVersionHash = old.entityVersionHashesByName["Book"]
        books.destinationEntityVersionHash = new.entityVersionHashesByName["Book"]
        books.sourceExpression = NSExpression(
            format: "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Book\", "
                + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)")
        books.attributeMappings = [
            property("name", "$source.title"), property("number", "$source.part + 100"),
            property("cover", "$source.cover"),
        ]
        books.relationshipMappings = ["forerunner", "sequels"].map {
            property(
                $0,
                "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"Books\", $source.\($0))"
            )
        }
        let model = NSMappingModel()
        model.entityMappings = [books]
        return model
    }

    private static func property(_ name: String, _ expression: String) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = NSExpression(format: expression)
        return mapping
    }

    private static func close(_ context: NSManagedObjectContext) throws {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
