import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// A store of notes whose texts are marked for search, with others that write it.
final class SearchScene {
    let folder: TemporaryFolder
    let url: URL
    private(set) var stack: Stack
    let options: [AnyHashable: Any]?

    init(options: [AnyHashable: Any]? = nil) throws {
        self.options = options
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Notes.sqlite")
        stack = try Stack(Self.model(), url: url, options: options)
    }

    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Note",
            [
                "title": .stringAttributeType, "body": .stringAttributeType, "plain": .stringAttributeType,
                "number": .integer32AttributeType,
            ])
        builder.entity("Memo", in: "Note", ["remark": .stringAttributeType])
        builder.entity("Folder", ["name": .stringAttributeType])
        builder.relationships("Folder.notes*", "Note.folder")
        for path in ["Note.title", "Note.body", "Memo.remark"] {
            builder.attribute(path).userInfo = [CoreDataSearchIndexUserInfoKey: "YES"]
        }
        return builder.model
    }

    var context: NSManagedObjectContext { stack.context }
    var sidePath: String { url.path + "-search" }

    /// Closes the store, and opens it again.
    func reopen(options: [AnyHashable: Any]? = nil) throws {
        try close()
        stack = try Stack(Self.model(), url: url, options: options ?? self.options)
    }

    func close() throws {
        stack.context.reset()
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    }

    @discardableResult
    func note(_ title: String?, _ body: String? = nil) -> NSManagedObject {
        context.insert("Note", ["title": title as Any?, "body": body as Any?].compactMapValues { $0 })
    }

    /// Writes the store as a program does that knows nothing of us.
    func raw(_ sql: String, _ values: [Value] = []) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        try connection.execute(sql, values)
    }

    /// The keys of the notes that a fetch finds, whether or not it asks the index.
    static func keys(_ context: NSManagedObjectContext, _ predicate: NSPredicate, limit: Int = 0) throws -> [Int64] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
        request.predicate = predicate
        request.fetchLimit = limit
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request).compactMap { Int64($0.uriRepresentation().lastPathComponent.dropFirst()) }
    }

    func keys(_ format: String, _ arguments: Any?...) throws -> [Int64] {
        try Self.keys(context, try NSPredicate(parsing: format, arguments: arguments)).sorted()
    }

    /// Whether a fetch is answered with the index now.
    func usesIndex(_ predicate: NSPredicate = NSPredicate(format: "title CONTAINS[cd] 'abc'"), limit: Int = 0) throws
        -> Bool
    {
        let statements = try stack.statements { _ = try Self.keys(context, predicate, limit: limit) }
        return statements.contains { $0.contains("search.trigrams") && $0.contains("ZNOTE") }
    }

    /// The keys of the notes for which a predicate holds in memory.
    func expected(_ predicate: NSPredicate) throws -> [Int64] {
        let connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        let columns = ["title", "body", "plain"]
        let rows = try connection.rows("SELECT Z_PK, ZTITLE, ZBODY, ZPLAIN FROM ZNOTE ORDER BY Z_PK")
        return rows.compactMap { row in
            var object: [String: Any] = [:]
            for (index, column) in columns.enumerated() { object[column] = row[index + 1].text }
            return predicate.evaluate(with: object) ? row[0].integer : nil
        }
    }

    /// The rows that the index has for a column.
    func entries(_ number: Int = 2) throws -> Int64? {
        let connection = try Connection.open(sidePath, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        return try connection.value("SELECT count(*) FROM text\(number)")?.integer
    }
}
