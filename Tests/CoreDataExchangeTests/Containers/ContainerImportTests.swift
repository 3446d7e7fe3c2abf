import CoreData
import CoreDataExchange
import CoreDataPostgres
import Synchronization
import TestBasics
import TestServers
import Testing

/// Imports into the containers of programs.
@Suite("Importing into containers") struct ContainerImportTests {
    private static let mapping = """
        { at = items; entity = Item; properties = { number = n; title = t;
          owner = { from = by; properties = { handle = "."; }; };
          tags = { from = g; properties = { name = "."; }; }; }; }
        """
    private let folder = try? TemporaryFolder()

    private static let server = NSPersistentStore.StoreType.postgreSQL.rawValue
    static let kinds =
        [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + (PostgresServer.isAvailable ? [server] : [])

    private func container(_ kind: String = NSSQLiteStoreType, history: Bool = true) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Items", managedObjectModel: Self.model())
        let file = try #require(folder).url.appendingPathComponent("Items.\(kind)")
        let url = kind == Self.server ? try PostgresServer.shared.get().makeURL("items") : file
        let description = NSPersistentStoreDescription(url: url)
        description.type = kind
        if history, kind == NSSQLiteStoreType {
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
            description.setOption(NSNumber(value: true), forKey: CoreDataHistoryKeepsOldValuesOption)
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        func relationship(_ name: String, _ entity: NSEntityDescription, toMany: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity, relationship.isOptional) = (name, entity, true)
            relationship.maxCount = toMany ? 0 : 1
            return relationship
        }
        let (item, person, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (item.name, person.name, tag.name) = ("Item", "Person", "Tag")
        let (owner, items) = (relationship("owner", person, toMany: false), relationship("items", item, toMany: true))
        let (tags, tagged) = (relationship("tags", tag, toMany: true), relationship("tagged", item, toMany: true))
        (owner.inverseRelationship, items.inverseRelationship) = (items, owner)
        (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
        let title = attribute("title", .stringAttributeType)
        title.setValidationPredicates([NSPredicate(format: "length <= 20")], withValidationWarnings: ["TOO_LONG"])
        item.properties = [attribute("number", .integer64AttributeType), title, owner, tags]
        person.properties = [attribute("handle", .stringAttributeType), items]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        (item.uniquenessConstraints, person.uniquenessConstraints) = ([["number"]], [["handle"]])
        tag.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [item, person, tag]
        return model
    }

    private func document(_ numbers: [Int], title: String = "Item", name: String = "items.json") throws -> URL {
        let items = numbers.map {
            "{\"n\": \($0), \"t\": \"\(title) \($0)\", \"by\": \"person \($0 % 7)\", \"g\": [\"tag \($0 % 3)\", \"all\"]}"
        }
        let url = try #require(folder).url.appendingPathComponent(name)
        try Data("{\"items\": [\(items.joined(separator: ",\n"))]}".utf8).write(to: url)
        return url
    }

    private func rules(_ extra: String = "") throws -> ImportMapping {
        try ImportMapping(propertyList: Data(Self.mapping.replacing("{ at =", with: "{ \(extra) at =").utf8))
    }

    private func count(_ entity: String, _ container: NSPersistentContainer) async throws -> Int {
        let context = container.newBackgroundContext()
        return try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
    }

    @Test("a document is imported into stores of each kind, and once more without a change (WEB-06)", arguments: kinds)
    func importsDocument(kind: String) async throws {
        let container = try container(kind)
        let url = try document(Array(1...100))
        let dry = try await container.importObjects(
            from: url, mapping: rules(),
            options: {
                var o = ImportOptions()
                o.isDryRun = true
                return o
            }())
        #expect(dry.total.inserted == 111 && !dry.isSaved, "\(dry)")
        #expect(try await count("Item", container) == 0)
        let summary = try await container.importObjects(from: url, mapping: rules())
        #expect(summary.entities["Item"]?.inserted == 100 && summary.isSaved && summary.refusals.isEmpty, "\(summary)")
        #expect(try await count("Person", container) == 7)
        let again = try await container.importObjects(from: url, mapping: rules())
        #expect(again.entities["Item"]?.unchanged == 100 && again.total.inserted == 0, "\(again)")
        let changed = try await container.importObjects(from: document([1, 101], title: "New"), mapping: rules())
        #expect(changed.entities["Item"]?.updated == 1 && changed.entities["Item"]?.inserted == 1, "\(changed)")
        let context = container.newBackgroundContext()
        let members = try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = NSPredicate(format: "name == 'all'")
            return try (context.fetch(request).first?.value(forKey: "tagged") as? NSSet)?.count
        }
        #expect(members == 101)
    }

    @MainActor
    @Test(
        "contexts that merge by themselves, notifications and the history learn of an import (WEB-06)",
        arguments: [nil, 30])
    func announcesImport(batchSize: Int?) async throws {
        let container = try container()
        let view = container.viewContext
        view.automaticallyMergesChangesFromParent = true
        _ = try await container.importObjects(from: document([1]), mapping: rules())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let first = try #require(try view.fetch(request).first)
        #expect(first.value(forKey: "title") as? String == "Item 1")
        let (box, coordinator) = (Announced(), container.persistentStoreCoordinator)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: nil, queue: nil
        ) { note in
            guard (note.object as? NSManagedObjectContext)?.persistentStoreCoordinator === coordinator else { return }
            let ids = note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
            box.value.withLock { $0.formUnion(ids.filter { $0.entity.name == "Item" }.map(\.uriString)) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var options = ImportOptions()
        (options.author, options.batchSize) = ("news", batchSize)
        let summary = try await container.importObjects(
            from: document(Array(1...90), title: "Later"), mapping: rules(), options: options)
        #expect(summary.entities["Item"]?.inserted == 89 && summary.entities["Item"]?.updated == 1, "\(summary)")
        let end = ContinuousClock.now + .seconds(30)
        while first.value(forKey: "title") as? String != "Later 1", .now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(first.value(forKey: "title") as? String == "Later 1")
        #expect(try view.count(for: request) == 90)
        #expect(box.value.withLock { $0.count } == 89)
        let history = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try view.execute(history) as? NSPersistentHistoryResult
        let own = (result?.result as? [NSPersistentHistoryTransaction] ?? []).filter { $0.author == "news" }
        #expect(!own.isEmpty && own.allSatisfy { $0.contextName == summary.identifier })
    }

    @Test(
        "an import is taken back as one, and of what it changed the former values return (WEB-06)",
        arguments: [nil, 20])
    func revertsImport(batchSize: Int?) async throws {
        let container = try container()
        _ = try await container.importObjects(from: document([1, 2]), mapping: rules())
        var options = ImportOptions()
        options.batchSize = batchSize
        let second = try await container.importObjects(
            from: document(Array(2...60), title: "New"), mapping: rules(), options: options)
        #expect(try await count("Item", container) == 60)
        #expect(try await container.revertImport(second.identifier) > 0)
        #expect(try await count("Person", container) == 2)
        let context = container.newBackgroundContext()
        let titles = try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
        #expect(titles == ["Item 1", "Item 2"])
        await #expect(throws: ImportError.self) { try await container.revertImport("no such import") }
        let third = try await container.importObjects(from: document([3]), mapping: rules())
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "number == 3")
            try context.fetch(request).first?.setValue("By hand", forKey: "title")
            try context.save()
        }
        let error = await #expect(throws: ImportError.self) { try await container.revertImport(third.identifier) }
        #expect(error?.code == .changedSince)
        #expect(try await count("Item", container) == 3)
    }

    @Test("a refused record stops the import or is left out, as the mapping says (WEB-06)", arguments: kinds)
    func refusedRecords(kind: String) async throws {
        let container = try container(kind)
        let url = try document([1, 2], title: "A title that is much too long")
        let error = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: url, mapping: rules())
        }
        #expect(error?.refusals.count == 2 && error?.refusals.first?.line == 1, "\(String(describing: error))")
        #expect(try await count("Item", container) == 0)
        let mixed = try #require(folder).url.appendingPathComponent("mixed.json")
        try Data("{\"items\": [{\"n\": 1, \"t\": \"a\"}, {\"n\": \"x\"}, {\"n\": 2, \"t\": \"b\"}]}".utf8).write(
            to: mixed)
        let summary = try await container.importObjects(from: mixed, mapping: rules("errors = skip;"))
        #expect(summary.total.inserted == 2 && summary.refusedCount == 1 && summary.refusals.first?.path == "n")
        #expect(try await count("Item", container) == 2)
        #expect(throws: ImportError.self) { try ImportMapping(propertyList: Data("{ entity = ; }".utf8)) }
        let other = try ImportMapping(propertyList: Data("{ entity = Thing; properties = { a = b; }; }".utf8))
        let unknown = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: url, mapping: other)
        }
        #expect(unknown?.code == .invalidMapping)
    }

    @Test("cancelling keeps committed batches, ends soon, and the same import goes on from there (CONC-05, WEB-06)")
    func cancels() async throws {
        let container = try container()
        let url = try document(Array(1...20_000))
        var options = ImportOptions()
        options.batchSize = 500
        let (begun, ended, committed) = (Begun(), Begun(), Announced())
        options.onCommit = { name in committed.value.withLock { _ = $0.insert(name) } }
        options.onProgress = { completed, _ in if completed > 0 { begun.set() } }
        let task = Task { [options] in
            defer { ended.set() }
            return try await container.importObjects(from: url, mapping: rules(), options: options)
        }
        while !begun.isSet { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let kept = try await count("Item", container)
        #expect(kept > 0 && kept < 20_000 && kept % 500 == 0, "\(kept)")
        #expect(committed.value.withLock { $0.count } == 1)
        let summary = try await container.importObjects(from: url, mapping: rules())
        #expect(summary.entities["Item"]?.unchanged == kept && summary.entities["Item"]?.inserted == 20_000 - kept)
    }

    @Test("a download is cancelled with the task, and a URL that has not changed is not read (WEB-06)")
    func web() async throws {
        let container = try container()
        let text = try String(contentsOf: document([1, 2]), encoding: .utf8)
        let server = try ScriptedServer { request, reply in
            guard request.path != "/slow.json" else {
                try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{\"items\": [")
                _ = reply.clientCloses(within: 30)
                return reply.close()
            }
            if request.field("If-None-Match") == "\"1\"" { return try reply.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
            try reply.respond(200, ["ETag: \"1\""], text: text)
        }
        defer { server.stop() }
        let slow = Task { try await container.importObjects(from: server.url("/slow.json"), mapping: rules()) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        slow.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
        let first = try await container.importObjects(from: server.url("/a.json"), mapping: rules())
        #expect(first.entities["Item"]?.inserted == 2 && !first.isUnchanged)
        let second = try await container.importObjects(from: server.url("/a.json"), mapping: rules())
        #expect(second.isUnchanged && second.total.inserted == 0)
        var options = ImportOptions()
        options.fetchesAlways = true
        let third = try await container.importObjects(from: server.url("/a.json"), mapping: rules(), options: options)
        #expect(!third.isUnchanged && third.entities["Item"]?.unchanged == 2)
    }

    @Test("an import that was taken back reads its URL again (WEB-06)", arguments: [nil, 1])
    func forgetsRevertedImport(batchSize: Int?) async throws {
        let container = try container()
        let text = try String(contentsOf: document([1, 2]), encoding: .utf8)
        let server = try ScriptedServer { request, reply in
            if request.field("If-None-Match") == "\"1\"" { return try reply.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
            try reply.respond(200, ["ETag: \"1\""], text: text)
        }
        defer { server.stop() }
        var given = ImportOptions()
        given.batchSize = batchSize
        let (url, options) = (server.url("/a.json"), given)
        let first = try await container.importObjects(from: url, mapping: rules(), options: options)
        let second = try await container.importObjects(from: url, mapping: rules(), options: options)
        #expect(second.isUnchanged)
        #expect(try await container.revertImport(first.identifier) > 0)
        #expect(try await count("Item", container) == 0)
        let third = try await container.importObjects(from: url, mapping: rules(), options: options)
        #expect(third.entities["Item"]?.inserted == 2 && !third.isUnchanged, "\(third)")
        let fourth = try await container.importObjects(from: url, mapping: rules(), options: options)
        #expect(fourth.isUnchanged)
    }

    @Test("a reversal that ended halfway is finished by the next one, and a whole one is not made again (WEB-06)")
    func finishesReversal() async throws {
        let container = try container()
        var given = ImportOptions()
        given.batchSize = 20
        let options = given
        let summary = try await container.importObjects(
            from: document(Array(1...60)), mapping: rules(), options: options)
        let (name, context) = (summary.identifier, container.newBackgroundContext())
        let number = try await context.perform {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            request.resultType = .transactionsOnly
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let all = result?.result as? [NSPersistentHistoryTransaction] ?? []
            let own = all.filter { $0.contextName == name }
            context.name = "revert " + name
            context.mergePolicy = NSMergePolicy.overwrite
            try context.revert(try #require(own.last))
            try context.save()
            return own.count
        }
        #expect(number >= 3)
        #expect(try await container.revertImport(name) == number - 1)
        for entity in ["Item", "Person", "Tag"] { #expect(try await count(entity, container) == 0) }
        let error = await #expect(throws: ImportError.self) { try await container.revertImport(name) }
        #expect(error?.code == .noHistory)
    }

    @Test("an error says whether the mapping, the document or the store is wrong (WEB-06)")
    func codesOfErrors() async throws {
        let container = try container()
        let folder = try #require(folder).url
        let missing = folder.appendingPathComponent("missing.json")
        for (name, text) in [("broken.json", "{\"items\": [{\"n\": 1}"), ("broken.xml", "<items><n>1</items>")] {
            let url = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: url)
            let error = await #expect(throws: ImportError.self) {
                try await container.importObjects(from: url, mapping: rules())
            }
            #expect(error?.code == .unreadable && error?.identifier == nil, "\(String(describing: error))")
        }
        let url = try document([1])
        let noFeed = await #expect(throws: ImportError.self) { try await container.importFeed(from: url, into: "Item") }
        #expect(noFeed?.code == .unreadable, "\(String(describing: noFeed))")
        let absent = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: missing, mapping: rules())
        }
        #expect(absent?.code == .unreadable, "\(String(describing: absent))")
        let other = try ImportMapping(propertyList: Data("{ entity = Item; properties = { size = n; }; }".utf8))
        let unknown = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: missing, mapping: other)
        }
        #expect(unknown?.code == .invalidMapping, "\(String(describing: unknown))")
        // Metadata that no property list can contain are refused when they are saved.
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        var metadata = coordinator.metadata(for: store)
        metadata["own"] = NSObject()
        coordinator.setMetadata(metadata, for: store)
        let unsaved = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: url, mapping: rules())
        }
        #expect(unsaved?.code == .notSaved && unsaved?.identifier == nil, "\(String(describing: unsaved))")
    }

    @Test("an import that fails after some of its batches names itself, and these are taken back (WEB-06)")
    func partlyCommitted() async throws {
        let container = try container()
        let url = try document(Array(1...90))
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(String(text.dropLast(2)).utf8).write(to: url)
        let committed = Announced()
        var given = ImportOptions()
        given.batchSize = 20
        given.onCommit = { name in committed.value.withLock { _ = $0.insert(name) } }
        let options = given
        let error = await #expect(throws: ImportError.self) {
            try await container.importObjects(from: url, mapping: rules(), options: options)
        }
        #expect(error?.code == .unreadable, "\(String(describing: error))")
        let name = try #require(error?.identifier)
        #expect(committed.value.withLock { $0 } == [name])
        let kept = try await count("Item", container)
        #expect(kept > 0 && kept % 20 == 0, "\(kept)")
        #expect(try await container.revertImport(name) > 0)
        #expect(try await count("Item", container) == 0)
    }

    @Test("a change that another process saves between two transactions of a reversal ends it, and stays (WEB-06)")
    func reversalMeetsAnotherSave() async throws {
        let container = try container()
        var options = ImportOptions()
        options.batchSize = 20
        let done = try await container.importObjects(
            from: document(Array(1...60)), mapping: rules(), options: options)
        // Another coordinator of the same file, as that of another process.
        let other = try self.container().newBackgroundContext()
        let first = NSFetchRequest<NSManagedObject>(entityName: "Item")
        first.predicate = NSPredicate(format: "number == 1")
        let context = container.newBackgroundContext()
        let error = #expect(throws: ImportError.self) {
            try context.performAndWait {
                let reversal = try ImportReversal(of: done.identifier, in: context)
                try reversal.run { count in
                    // The first portion is left, with the object.
                    guard count == reversal.count - 1 else { return }
                    // What this throws shows in the title that is compared below.
                    other.performAndWait {
                        (try? other.fetch(first))?.first?.setValue("By hand", forKey: "title")
                        try? other.save()
                    }
                }
            }
        }
        #expect(error?.code == .changedSince, "\(String(describing: error))")
        let titles = try await other.perform {
            other.reset()
            return try other.fetch(first).map { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["By hand"])
        let left = try await count("Item", container)
        #expect(left > 0 && left < 60, "\(left)")
    }

    @Test("names that only begin like an import's are not of imports (WEB-06)")
    func namesOfImports() {
        #expect(StoreImport.isName("import \(UUID().uuidString)"))
        for name in ["import contacts", "import ", "import", "revert import \(UUID().uuidString)"] {
            #expect(!StoreImport.isName(name), "\(name)")
        }
    }
}

private final class Announced: Sendable {
    let value = Mutex<Set<String>>([])
}

/// Whether something has happened, for another task.
private final class Begun: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}

extension NSManagedObjectID {
    fileprivate var uriString: String { uriRepresentation().absoluteString }
}
