import CoreDataStore

/// What a kind of store does that is written by the objects of contexts themselves, and that names its records.
protocol ObjectServing: AnyObject {
    /// What the records of the store are called outside the process.
    var references: ReferenceKeys { get }
    /// Which records contexts have objects of.
    var registrations: StoreRegistrations { get }
    /// Runs a block whose questions and plans are those of a client.
    func serving<Result>(_ client: StoreClient, _ body: () throws -> Result) rethrows -> Result
    /// The keys that new objects get, in their order.
    ///
    /// - Throws: what the store throws, and 134070 for what is no identifier of such objects.
    func keys(of objects: [NSManagedObject], for client: StoreClient) throws -> [Int64]
    /// Tells the store of objects that came and went, unless it is at work.
    func tellRegistrations()
    /// Hands on a request that is none for objects, and gives what the store answers.
    func execute(_ request: NSPersistentStoreRequest, for client: StoreClient) throws -> Any
}

/// For whom a store works: a context, and what it wants.
struct StoreClient {
    let context: NSManagedObjectContext
    /// The request that is carried out; nil where values of objects are read.
    var request: NSPersistentStoreRequest?
    /// The objects that a plan writes, and those that nobody may have changed.
    var objects: [NSManagedObject] = []
    var locked: [NSManagedObject] = []
}

/// A store's rows, read on behalf of a context.
final class ServedSource: RowSource {
    private let store: NSPersistentStore
    private let serving: any ObjectServing
    private let client: StoreClient

    init(_ store: NSPersistentStore, _ serving: any ObjectServing, _ client: StoreClient) {
        self.store = store
        self.serving = serving
        self.client = client
    }

    var rowCache: RowCache { store.rowCache }

    var isOpen: Bool { store.isOpen }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        try store.serialized { try serving.serving(client) { try store.reading(body) } }
    }
}
