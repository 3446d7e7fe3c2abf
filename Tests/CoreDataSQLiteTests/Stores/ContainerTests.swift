import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite("Persistent containers")
struct ContainerTests {
    private final class Container: NSPersistentContainer, @unchecked Sendable {
        nonisolated(unsafe) static var folder = FileManager.default.temporaryDirectory

        override class func defaultDirectoryURL() -> URL { folder }
    }

    private func container(_ urls: URL...) -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Heroes", managedObjectModel: HeroModel.make())
        container.persistentStoreDescriptions = urls.map { NSPersistentStoreDescription(url: $0) }
        return container
    }

    /// The errors of loading, by the name of the store.
    private func load(_ container: NSPersistentContainer) -> [(String, NSError?)] {
        final class Log { var entries: [(String, NSError?)] = [] }
        let log = Log()
        container.loadPersistentStores { description, error in
            log.entries.append((description.url?.lastPathComponent ?? "", error as NSError?))
        }
        return log.entries
    }

    @Test("nothing is on disk before stores are loaded; a subclass says where they are (CTX-01, STO-30)")
    func defaultDirectory() throws {
        let folder = try Fixtures.temporaryFolder().appendingPathComponent("made/later")
        Container.folder = folder
        let container = Container(name: "Heroes", managedObjectModel: HeroModel.make())
        #expect(container.persistentStoreDescriptions.map(\.url) == [folder.appendingPathComponent("Heroes.sqlite")])
        #expect(try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(load(container).map(\.1) == [nil])
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("Heroes.sqlite").path))
        let standard = NSPersistentContainer.defaultDirectoryURL().path
        #expect(standard.hasPrefix("/") && !standard.hasSuffix("/") && standard.split(separator: "/").count > 1)
    }

    @Test("each description gets its own outcome, in order; one that fails does not stop the others (STO-10)")
    func severalStores() throws {
        let folder = try Fixtures.temporaryFolder()
        let bad = folder.appendingPathComponent("Bad.sqlite")
        try Data(String(repeating: "no database ", count: 500).utf8).write(to: bad)
        let container = container(
            folder.appendingPathComponent("A.sqlite"), bad, folder.appendingPathComponent("C.sqlite"))
        let log = load(container)
        #expect(log.map(\.0) == ["A.sqlite", "Bad.sqlite", "C.sqlite"])
        #expect(log.map { $0.1?.code } == [nil, NSFileReadCorruptFileError, nil])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
        #expect(load(container).map { $0.1?.code } == [134_081, NSFileReadCorruptFileError, 134_081])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    }

    @Test("Descriptions' types, configurations, options, pragmas and timeouts reach their stores")
    func descriptionsTypesConfigurationsOptions() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("A.sqlite")
        let container = container(url)
        let description = container.persistentStoreDescriptions[0]
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        description.setValue(NSNumber(value: 0), forPragmaNamed: "synchronous")
        description.timeout = 1.5
        description.setOption("value" as NSString, forKey: "ProgramsOwn")
        #expect(load(container).map(\.1) == [nil])
        let store = container.persistentStoreCoordinator.persistentStores[0]
        let file = try #require(store.objects as? StoreFile)
        #expect(try file.connection.pragma("journal_mode")?.text == "delete")
        #expect(try file.connection.pragma("synchronous")?.integer == 0)
        #expect(try file.connection.pragma("busy_timeout")?.integer == 1500)
        #expect(store.options?["ProgramsOwn"] as? String == "value")
        let readOnly = self.container(url)
        readOnly.persistentStoreDescriptions[0].isReadOnly = true
        #expect(load(readOnly).map(\.1) == [nil])
        #expect(readOnly.persistentStoreCoordinator.persistentStores[0].isReadOnly)
        let unknown = self.container(url)
        unknown.persistentStoreDescriptions[0].type = "Unknown"
        #expect(load(unknown).map { $0.1?.code } == [NSPersistentStoreInvalidTypeError])
        let configured = self.container(url)
        configured.persistentStoreDescriptions[0].configuration = "None"
        #expect(load(configured).map { $0.1?.code } == [NSPersistentStoreOpenError])
    }

    @Test("A store that is added asynchronously is there when its handler is called", .timeLimit(.minutes(20)))
    func asynchronousLoading() async throws {
        let container = container(try Fixtures.temporaryFolder().appendingPathComponent("A.sqlite"))
        container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
        let count: Int = try await withCheckedThrowingContinuation { continuation in
            container.loadPersistentStores { _, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: container.persistentStoreCoordinator.persistentStores.count)
            }
        }
        #expect(count == 1)
    }

    @Test("Background tasks have contexts of their own, give values and throw errors", .timeLimit(.minutes(20)))
    func backgroundTasks() async throws {
        struct Failure: Error {}
        let container = container(URL(fileURLWithPath: "/dev/null"))
        #expect(load(container).map(\.1) == [nil])
        let name = try await container.performBackgroundTask { context throws -> String? in
            let hero = context.insert("Hero", ["name": "B"])
            try context.save()
            return hero.value(forKey: "name") as? String
        }
        #expect(name == "B")
        await #expect(throws: Failure.self) {
            try await container.performBackgroundTask { _ throws -> Int in throw Failure() }
        }
        let count = await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                continuation.resume(
                    returning: (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero"))) ?? -1)
            }
        }
        #expect(count == 1)
        let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
        #expect(one !== other && one.concurrencyType == .privateQueueConcurrencyType)
    }

    @Test("A save before stores are loaded fails with the advice to add a store")
    func saveBeforeLoading() throws {
        let container = container(try Fixtures.temporaryFolder().appendingPathComponent("A.sqlite"))
        let context = container.newBackgroundContext()
        context.insert("Hero", ["name": "A"])
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedRecoverySuggestion?.contains("Add a persistent store") == true)
        #expect(load(container).map(\.1) == [nil])
        try context.save()
    }

    @Test("a container finds the model of its name beside the executable; without one it is empty (MOD-02)")
    func modelByName() throws {
        let name = "Model\(UUID().uuidString.prefix(8))"
        #expect(NSPersistentContainer(name: name).managedObjectModel.entities.isEmpty)
        let folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .resolvingSymlinksInPath().deletingLastPathComponent()
        guard access(folder.path, W_OK) == 0 else { return }
        let package = folder.appendingPathComponent("\(name).resources/\(name).xcdatamodel")
        defer { try? FileManager.default.removeItem(at: package.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Found"><attribute name="a" optional="YES" attributeType="String"/></entity></model>
            """
        try Data(xml.utf8).write(to: package.appendingPathComponent("contents"))
        #expect(NSPersistentContainer(name: name).managedObjectModel.entities.map(\.name) == ["Found"])
    }
}
