import CoreData
import StoreContract
import TestBasics

/// Entries that several processes add to one store with history, each process under an author of its own.
///
/// A save adds all parts of one entry and counts the author's row up, so that half a save can be told from a whole one.
package enum AuthoredEntries {
    /// The rows of one entry.
    package static let parts = 3

    package static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Entry",
            [
                "author": .stringAttributeType, "number": .integer64AttributeType, "part": .integer64AttributeType,
            ])
        builder.entity("Author", ["name": .stringAttributeType, "count": .integer64AttributeType])
        return builder.model
    }

    /// A context on the store at a path, whose saves wait long enough for several others that save without a pause.
    package static func context(_ path: String) throws -> NSManagedObjectContext {
        try Opened.context(path, make(), options.merging([NSPersistentStoreTimeoutOption: 120]) { $1 })
    }

    /// Adds the entries that the author does not have yet, each by one save, and calls `saved` after it.
    package static func write(
        by author: String, upTo count: Int, in context: NSManagedObjectContext, saved: (Int) -> Void
    ) throws {
        context.transactionAuthor = author
        let row = try authorRow(author, context)
        var random = SeededRandom(seed: TestSeed.first &+ UInt64(author.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        for number in (self.count(row) + 1)..<max(count + 1, self.count(row) + 1) {
            add(number, by: author, to: context)
            row.setValue(number, forKey: "count")
            try context.save()
            saved(number)
            // Who waits for the lock looks for it only now and then: without a rest it would go last.
            usleep(UInt32(random.next(below: 2_000)))
        }
    }

    /// Adds one entry without saving it.
    package static func add(_ number: Int, by author: String, to context: NSManagedObjectContext) {
        for part in 0..<parts { context.insert("Entry", ["author": author, "number": number, "part": part]) }
    }

    private static func authorRow(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        try context.all("Author", NSPredicate(format: "name == %@", name)).first
            ?? context.insert("Author", ["name": name, "count": 0])
    }

    private static func count(_ row: NSManagedObject) -> Int { row.value(forKey: "count") as? Int ?? -1 }
}
