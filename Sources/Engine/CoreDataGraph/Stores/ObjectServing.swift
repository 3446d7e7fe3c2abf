import CoreDataStore

/// What a kind of store does that is written by the objects of contexts themselves, and that names its records.
protocol ObjectServing: AnyObject {
    /// What the records of the store are called outside the process.
    var references: ReferenceKeys { get }
    /// Runs a block whose questions and plans are those of an origin.
    func serving<Result>(_ origin: RequestOrigin, _ body: () throws -> Result) rethrows -> Result
    /// The keys that new objects get, in their order.
    ///
    /// - Throws: what the store throws, and `NSPersistentStoreOperationError` for what is not an identifier of such objects.
    func keys(of objects: [NSManagedObject], for origin: RequestOrigin) throws -> [Int64]
    /// Notifies the store of objects that came and went, unless it is at work.
    func notifyRegistrations()
    /// Passes on a request other than for objects, and returns the store's answer.
    func execute(_ request: NSPersistentStoreRequest, for origin: RequestOrigin) throws -> Any
}

/// A store of a kind that works with the objects of contexts themselves.
protocol ObjectServingStore: NSPersistentStore {
    var objectServer: (any ObjectServing)? { get }
}

extension NSPersistentStore {
    /// What works with the objects of contexts themselves; nil for kinds that know rows alone.
    var objectServing: (any ObjectServing)? {
        registrations == nil ? nil : (self as? any ObjectServingStore)?.objectServer
    }
}

/// For whom a store works: a context, and what it wants.
struct RequestOrigin {
    let context: NSManagedObjectContext
    /// The executed request; nil where values of objects are read.
    var request: NSPersistentStoreRequest?
    /// The objects that a plan writes, and those that must be unchanged.
    var objects: [NSManagedObject] = []
    var locked: [NSManagedObject] = []
}

/// A store's rows, read on behalf of a context.
final class ObjectServingSource: RowSource {
    private let store: NSPersistentStore
    private let serving: any ObjectServing
    private let origin: RequestOrigin

    init(_ store: NSPersistentStore, serving: any ObjectServing, origin: RequestOrigin) {
        self.store = store
        self.serving = serving
        self.origin = origin
    }

    var rowCache: RowCache { store.rowCache }

    var isOpen: Bool { store.isOpen }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        try store.serialized { try serving.serving(origin) { try store.reading(body) } }
    }
}
