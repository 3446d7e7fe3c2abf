import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// Another process puts another file, or other content, in the place of a store that keeps history and is open here.
@Suite("A store replaced by another process", .timeLimit(.minutes(5)))
struct ReplacedStoreTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let stack: Stack
    /// The place after two saves.
    private let token: NSPersistentHistoryToken

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Open.sqlite")
        stack = try Stack(AuthoredEntries.make(), url: url, options: AuthoredEntries.options)
        for number in 1...2 { try Self.save(number, in: stack) }
        token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    private static func save(_ number: Int, in stack: Stack) throws {
        AuthoredEntries.add(number, by: "own", to: stack.context)
        try stack.context.save()
    }

    /// A closed store with three saves of its own, more than the open one has.
    private func another(_ model: NSManagedObjectModel = AuthoredEntries.make()) throws -> URL {
        let url = folder.url.appendingPathComponent("Other.sqlite")
        let other = try Stack(model, url: url, options: AuthoredEntries.options)
        for number in 101...103 { try Self.save(number, in: other) }
        try other.coordinator.remove(other.store)
        return url
    }

    private static func run(_ arguments: String...) throws {
        let child = try Child(arguments)
        let lines = child.lines()
        #expect(child.status() == 0, "\(lines)")
    }

    /// The bytes of the file and of its log.
    private func bytes() throws -> [Data?] {
        [try Data(contentsOf: url), try? Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))]
    }

    /// Expects that a save is refused in words that include the given ones, and leaves file and objects as they are.
    private func expectRefusal(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try bytes()
        AuthoredEntries.add(3, by: "own", to: stack.context)
        let save = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
        #expect(save.domain == NSCocoaErrorDomain && save.code == NSPersistentStoreSaveError)
        #expect(save.localizedDescription.contains(words), "\(save)", sourceLocation: sourceLocation)
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Entry"))
        let batch = try #require(throws: (any Error).self) { try stack.context.execute(delete) } as NSError
        #expect(batch.localizedDescription.contains(words), "\(batch)", sourceLocation: sourceLocation)
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: token)
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try stack.context.execute(request) }
        #expect(try bytes() == before, sourceLocation: sourceLocation)
        #expect(stack.context.insertedObjects.count == AuthoredEntries.parts)
    }

    private func codeOfReading(after token: NSPersistentHistoryToken, in stack: Stack) -> Int? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        do {
            try stack.context.execute(request)
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    private func numbers(in stack: Stack) throws -> Set<Int> {
        Set(try stack.context.all("Entry").compactMap { $0.value(forKey: "number") as? Int })
    }

    @Test(
        "content of another store refuses saves and the former store's tokens, also when added again (CTX-34, HAZ-36)")
    func contentOfAnotherStore() throws {
        try Self.run("replace", url.path, try another().path)
        try expectRefusal("was replaced by another while it was open")
        #expect(codeOfReading(after: token, in: stack) == 134_501)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let anew = try stack.reopened()
        #expect(try numbers(in: anew) == [101, 102, 103])
        #expect(codeOfReading(after: token, in: anew) == 134_501)
        try Self.save(104, in: anew)
        #expect(try numbers(in: anew) == [101, 102, 103, 104])
    }

    @Test(
        "the file of another store in its place refuses saves, and the former store's tokens when added (CTX-34, HAZ-36)"
    )
    func fileOfAnotherStore() throws {
        let other = try another()
        // The log stays at its place, where the next connection to the other file would find it.
        try Self.run("checkpoint", url.path)
        try Self.run("rename", url.path, other.path)
        try expectRefusal("was deleted, renamed or replaced while it was open")
        let anew = try stack.reopened()
        #expect(try numbers(in: anew) == [101, 102, 103])
        #expect(codeOfReading(after: token, in: anew) == 134_501)
        try Self.save(104, in: anew)
        #expect(try numbers(in: anew) == [101, 102, 103, 104])
    }

    @Test("an older copy of the store refuses saves, and later tokens (CTX-34, HAZ-36)")
    func olderCopy() throws {
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        try stack.coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: .sqlite)
        for number in 11...14 { try Self.save(number, in: stack) }
        let later = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        try Self.run("replace", url.path, copy.path)
        try expectRefusal("was replaced by an older copy of itself while it was open")
        #expect(codeOfReading(after: later, in: stack) == NSPersistentHistoryTokenExpiredError)
        let anew = try stack.reopened()
        #expect(try numbers(in: anew) == [1, 2])
        #expect(codeOfReading(after: later, in: anew) == NSPersistentHistoryTokenExpiredError)
        #expect(codeOfReading(after: token, in: anew) == nil)
        try Self.save(3, in: anew)
        #expect(try numbers(in: anew) == [1, 2, 3])
    }

    @Test("a store migrated to another version of its model refuses saves of the former one (CTX-34, HAZ-36)")
    func migratedStore() throws {
        let model = AuthoredEntries.make()
        let attribute = NSAttributeDescription()
        attribute.name = "title"
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        model.entitiesByName["Entry"]?.properties.append(attribute)
        let other = try another(model)
        // A migrated store keeps its identity.
        let connection = try Connection.open(other.path, OpenOptions(mode: .readWrite))
        let identifier = try #require(stack.store.identifier)
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [.text(identifier)])
        connection.close()
        try Self.run("replace", url.path, other.path)
        try expectRefusal("was migrated to another version of the model while it was open")
        let anew = try Stack(model, url: url, options: AuthoredEntries.options)
        #expect(try numbers(in: anew) == [101, 102, 103])
        let old = try #require(throws: (any Error).self) { try stack.reopened() } as NSError
        #expect(old.code == NSPersistentStoreIncompatibleVersionHashError)
    }
}
