import CoreDataStore

/// The operations of a store class that reads and writes managed objects rather than rows, and that has its own
/// reference objects for records.
protocol ObjectServing: AnyObject {
    /// The reference objects of the store's records.
    var references: ReferenceKeys { get }
    /// Runs a block, whose queries and save plans come from an origin.
    func serving<Result>(_ origin: RequestOrigin, _ body: () throws -> Result) rethrows -> Result
    /// Returns the keys of new objects, in the order of the objects.
    ///
    /// - Throws: the store's error, and `NSPersistentStoreOperationError` if the store returns something that is not an
    ///   identifier of such objects.
    func keys(of objects: [NSManagedObject], for origin: RequestOrigin) throws -> [Int64]
    /// Notifies the store of objects that contexts registered and unregistered, unless the store is in use.
    func notifyRegistrations()
    /// Passes a request other than one for objects to the store, and returns its answer.
    func execute(_ request: NSPersistentStoreRequest, for origin: RequestOrigin) throws -> Any
}

/// A store whose class works with managed objects.
protocol ObjectServingStore: NSPersistentStore {
    var objectServer: (any ObjectServing)? { get }
}

extension NSPersistentStore {
    /// The operations on managed objects; nil for kinds that work with rows.
    var objectServing: (any ObjectServing)? {
        registrations == nil ? nil : (self as? any ObjectServingStore)?.objectServer
    }
}

/// The origin of a store's work: a context, and its request.
struct RequestOrigin {
    let context: NSManagedObjectContext
    /// The executed request; nil if values of objects are read.
    var request: NSPersistentStoreRequest?
    /// The objects that a plan writes, and (`locked`) those that must be unchanged.
    var objects: [NSManagedObject] = []
    var locked: [NSManagedObject] = []
}

/// The rows of a store that works with objects, read for a context.
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
