import CoreData
import Synchronization

/// A model, a container and one store for a test, made in one line and removed with the last reference.
///
/// Each stack has a store of its own, so that tests may run in parallel. The store is in memory, or in SQLite in a
/// temporary folder.
///
///     @Test func savesHero() throws {
///         let stack = try TestStack("SuperDB", in: .module)
///         let hero = try stack.make(Hero.self) { $0.name = "Ann" }
///         try stack.context.save()
///         #expect(try stack.context.count(for: Hero.fetchRequest()) == 1)
///         #expect(hero.isInserted == false)
///     }
public final class TestStack: @unchecked Sendable {
    /// Where the records of a stack are.
    public enum Kind: Sendable, CaseIterable {
        /// In memory: the fastest, without statements of SQL.
        case memory
        /// In a SQLite file in a temporary folder.
        case sqlite
    }

    /// The container with the store loaded.
    public let container: NSPersistentContainer
    /// A context on a private queue for the test itself.
    ///
    /// A test that is the only one to use it may do so on its own thread; a program that runs with
    /// `-com.apple.CoreData.ConcurrencyDebug 1` must call `perform` or `performAndWait`. Code of the app for the main
    /// thread gets `viewContext` instead, in tests that are on the main actor.
    public let context: NSManagedObjectContext
    /// Where the records are.
    public let kind: Kind
    /// Where the store is; for a stack in memory a URL that no file has.
    public let url: URL

    private let folder: TestFolder?
    /// Not changed after the initializer.
    private let options: [String: NSObject]
    /// How many objects builders have made, by which their values differ.
    let builtCount = Mutex(0)

    /// Makes a stack with a model made in code, or loaded already.
    ///
    /// - Parameters:
    ///   - options: store options by their keys, such as `NSPersistentHistoryTrackingKey`.
    /// - Throws: `TestingError` with `noStore`.
    public convenience init(
        _ model: NSManagedObjectModel, _ kind: Kind = .memory, options: [String: NSObject] = [:]
    ) throws {
        let folder = kind == .sqlite ? try TestFolder() : nil
        try self.init(model, kind, folder: folder, url: Self.place(in: folder), options)
    }

    /// Makes a stack with the model of a name in a bundle, such as that of `Bundle.module`. The model is read once in a
    /// process.
    ///
    /// - Throws: `TestingError` with `noModel` or `noStore`.
    public convenience init(_ name: String, in bundle: Bundle, _ kind: Kind = .memory) throws {
        try self.init(TestModels.model(named: name, in: bundle), kind)
    }

    /// Makes a stack with the model at a URL: a `.momd`, `.mom`, `.omo`, `.xcdatamodeld` or `.xcdatamodel`. The model
    /// is read once in a process.
    ///
    /// - Throws: `TestingError` with `noModel` or `noStore`.
    public convenience init(modelAt url: URL, _ kind: Kind = .memory) throws {
        try self.init(TestModels.model(at: url), kind)
    }

    private init(
        _ model: NSManagedObjectModel, _ kind: Kind, folder: TestFolder?, url: URL,
        _ options: [String: NSObject]
    ) throws {
        (self.kind, self.folder, self.url, self.options) = (kind, folder, url, options)
        let container = TestContainer(name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = kind == .memory ? NSInMemoryStoreType : NSSQLiteStoreType
        for (key, value) in options { description.setOption(value, forKey: key) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure {
            throw TestingError(.noStore, "The store of the test was not added: \(failure.localizedDescription)")
        }
        self.container = container
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        context.name = "test"
        container.note(container.viewContext, "viewContext")
        container.note(context, "test")
    }

    /// A name that no other store of the process has: it distinguishes recorded statements.
    private static func place(in folder: TestFolder?) -> URL {
        let name = "Test-\(UUID().uuidString.prefix(13))"
        guard let folder else { return URL(fileURLWithPath: "/nonexistent/\(name).memory") }
        return folder.url.appendingPathComponent("\(name).sqlite")
    }

    /// The context of the main queue, for tests on the main actor.
    public var viewContext: NSManagedObjectContext { container.viewContext }

    /// The model.
    public var model: NSManagedObjectModel { container.managedObjectModel }

    /// Another context with a private queue of its own.
    public func newContext() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// A context whose parent is `context`.
    public func newChildContext() -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        (container as? TestContainer)?.note(child, "newChildContext()")
        return child
    }

    /// A stack with a container of its own on the same SQLite file, as another process, or the next start of the
    /// program, has it. Not for stores in memory.
    ///
    /// - Throws: `TestingError` with `noStore`.
    public func another() throws -> TestStack {
        guard kind == .sqlite else {
            throw TestingError(.noStore, "A store in memory has one container: use TestStack(…, .sqlite).")
        }
        return try TestStack(model, kind, folder: folder, url: url, options)
    }
}
