import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Stores whose hash of an entity is one that no known recipe gives, as a store by Apple's framework may have it.
@Suite struct UndecidedHashTests {
    private static func model(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Book", ["isbn": .stringAttributeType, "title": .stringAttributeType])
        builder.entity("Shelf", ["name": .stringAttributeType])
        builder["Book"].uniquenessConstraints = [["isbn"], ["title"]]
        change(builder)
        return builder.model
    }

    /// A store with one book, in which the hashes of some entities are falsified.
    private static func store(forging names: String..., keepingModel: Bool = true) throws -> URL {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
        let stack = try Stack(model(), url: url)
        stack.context.insert("Book", ["isbn": "1", "title": "One"])
        try stack.context.save()
        var metadata = stack.coordinator.metadata(for: stack.store)
        var hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        try stack.coordinator.remove(stack.store)
        for name in names { hashes[name] = Data(repeating: 7, count: 32) }
        metadata[NSStoreModelVersionHashesKey] = hashes
        metadata[NSStoreUUIDKey] = nil
        let connection = try Connection.open(url.path, OpenOptions(mode: .readWrite))
        defer { connection.close() }
        let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob([UInt8](data))])
        if !keepingModel { try connection.execute("DROP TABLE Z_MODELCACHE") }
        return url
    }

    private func error(opening url: URL, with model: NSManagedObjectModel) -> NSError? {
        expectError(134100) { _ = try Stack(model, url: url) }
    }

    @Test("a store opens though a hash of an assumed recipe differs, and notes it (MOD-36)", arguments: [true, false])
    func undecidedHashIsNoted(keepingModel: Bool) throws {
        let url = try Self.store(forging: "Book", keepingModel: keepingModel)
        let stack = try Stack(Self.model(), url: url)
        #expect(try stack.context.all("Book").count == 1)
        let problems = (stack.store as? SQLiteStore)?.problems ?? []
        #expect(problems.count == 1 && problems[0].contains("The version hash of Book differs"))
        stack.context.insert("Book", ["isbn": "2", "title": "Two"])
        try stack.context.save()
    }

    @Test("the kept model proves that the definition changed (MOD-36)")
    func keptModelDecides() throws {
        let url = try Self.store(forging: "Book")
        let changed = Self.model { $0.attribute("Book.isbn").isOptional = false }
        let refusal = try #require(error(opening: url, with: changed))
        #expect(refusal.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(refusal.userInfo["entities"] as? [String] == ["Book"])
    }

    @Test("a store that was changed here is of another version, whatever its recipe (MOD-36)")
    func ownStoreOfAnotherVersionIsRefused() throws {
        let url = try Self.store()
        let changed = Self.model { $0.attribute("Book.isbn").isOptional = false }
        #expect(error(opening: url, with: changed)?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("missing columns prove that the definition changed where no model is kept (MOD-36)")
    func missingColumnsDecide() throws {
        let url = try Self.store(forging: "Book", keepingModel: false)
        let changed = Self.model { builder in
            let pages = NSAttributeDescription()
            pages.name = "pages"
            pages.type = .integer32
            builder["Book"].properties.append(pages)
        }
        #expect(error(opening: url, with: changed)?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("another entity that differs keeps the store closed (MOD-36)")
    func certainDifferenceKeepsClosed() throws {
        let url = try Self.store(forging: "Book", "Shelf")
        let refusal = try #require(error(opening: url, with: Self.model()))
        #expect(refusal.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(refusal.userInfo["entities"] as? [String] == ["Book", "Shelf"])
    }
}
