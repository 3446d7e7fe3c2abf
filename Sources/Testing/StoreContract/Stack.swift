import CoreDataGraph
import TestBasics

/// A coordinator with one store, and a context. The store is in a temporary folder that is removed with the stack,
/// unless a URL is given.
///
/// Several stacks with one URL act like several processes.
public final class Stack {
    /// The model.
    public let model: NSManagedObjectModel
    /// Where the store is.
    public let url: URL
    /// The coordinator.
    public let coordinator: NSPersistentStoreCoordinator
    /// The kind of the store.
    public let kind: StoreKind
    /// The options that the store was added with.
    public let options: [AnyHashable: Any]?
    /// A context on a private queue; each test uses it on its own thread only.
    public let context: NSManagedObjectContext
    private let folder: TemporaryFolder?
    /// Retains the stack, so that a caller may get one object and drop the stack: objects do not retain their context.
    private var next: Stack?

    /// Makes a stack with a new store.
    public convenience init(
        _ model: NSManagedObjectModel, kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Test.sqlite")
        try self.init(model, url: url, kind: kind, options: options, folder: folder)
    }

    /// Makes a stack on an existing or new store.
    public convenience init(
        _ model: NSManagedObjectModel, url: URL, kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil
    ) throws {
        try self.init(model, url: url, kind: kind, options: options, folder: nil)
    }

    private init(
        _ model: NSManagedObjectModel, url: URL, kind: StoreKind, options: [AnyHashable: Any]?,
        folder: TemporaryFolder?
    ) throws {
        self.options = options
        self.model = model
        self.url = url
        self.kind = kind
        self.folder = folder
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: options)
        context = Self.context(of: coordinator)
    }

    /// Makes a stack with the store and coordinator of another, and a new context.
    private init(sharing other: Stack) {
        (model, url, kind, folder) = (other.model, other.url, other.kind, other.folder)
        options = other.options
        coordinator = other.coordinator
        context = Self.context(of: coordinator)
    }

    /// The store.
    public var store: NSPersistentStore { coordinator.persistentStores[0] }

    /// Another context of the same coordinator.
    public func newContext() -> NSManagedObjectContext { Self.context(of: coordinator) }

    /// Makes a stack with a new coordinator on the same store, as another process would.
    ///
    /// Only for kinds that are `shared`.
    public func another() throws -> Stack { try Stack(model, url: url, kind: kind, options: options) }

    /// Returns a stack on the same store with a context without objects; this stack must not be used afterward.
    ///
    /// A durable store is closed and opened by a new coordinator. Any other store stays open with its coordinator,
    /// which then has no cached rows, except for objects that are referenced elsewhere.
    public func reopened() throws -> Stack {
        context.reset()
        let opened: Stack
        if kind.capabilities.contains(.durable) {
            try coordinator.remove(store)
            opened = try Stack(model, url: url, kind: kind, options: options, folder: folder)
        } else {
            opened = Stack(sharing: self)
        }
        next = opened
        return opened
    }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}

extension NSManagedObjectContext {
    /// Inserts an object and sets the given values.
    @discardableResult
    public func insert(_ entity: String, _ values: [String: Any?] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// Fetches the objects of an entity that satisfy a predicate, sorted by keys in ascending order.
    public func all(
        _ entity: String, _ predicate: NSPredicate? = nil, sortedBy keys: String...
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return try fetch(request)
    }
}
