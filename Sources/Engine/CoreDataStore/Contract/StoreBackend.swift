import CoreDataModeling

/// A kind of store below the object graph, and one open store of it: where records are kept, and what its files say.
///
/// It knows no coordinator and no object; the graph's `BackedStore` makes a persistent store of it.
package protocol StoreBackend: ObjectStore, StoreAdministering {
    /// The name of the store type, such as `NSSQLiteStoreType`.
    static var storeType: String { get }
    /// The optional capabilities of a store at a place.
    static func capabilities(at url: URL?) -> StoreCapabilities
    /// The URL of a store as everybody may see it, without what is secret in it.
    static func shownURL(_ url: URL) -> URL
    /// Opens a store; one that is not there is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why it cannot be used; what is there is left as it was.
    static func open(_ request: OpeningRequest) throws -> OpenedStore<Self>
    /// The metadata of a store that is not open.
    static func metadata(at url: URL) throws -> [String: Any]
    /// Writes the metadata of a store that is not open; without effect on all else in it.
    static func setMetadata(_ metadata: [String: Any], at url: URL) throws
    /// The model that a store carries which is not open; nil where it carries none.
    static func cachedModel(at url: URL) throws -> NSManagedObjectModel?
    /// Whether a store that is not open keeps a history, for kinds whose tools cannot look into the file.
    static func keepsHistory(at url: URL) throws -> Bool
    /// What asks a store on a server by statements of SQL; nil for kinds that are files or in memory.
    ///
    /// - Throws: `StatementError` where statements are not allowed.
    static func statementReading(at url: URL) throws -> (any StatementReading)?
    /// Changes the schema of stores of the kind; nil where only their objects can be migrated.
    static var schemaMigrating: (any SchemaMigrating.Type)? { get }
    /// The error for a place that holds no store that could be used.
    static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError
    /// What was found to be not as it should be, as sentences.
    var problems: [String] { get }
    /// Goes on at another place with what it has, and writes that there when it saves next; false where it has to be opened
    /// there.
    func relocate(to url: URL) throws -> Bool
    /// Closes the files; nothing is asked afterwards.
    func close()
}

extension StoreBackend {
    package static var schemaMigrating: (any SchemaMigrating.Type)? { nil }

    package static func shownURL(_ url: URL) -> URL { url }

    package static func cachedModel(at url: URL) throws -> NSManagedObjectModel? { nil }

    package static func keepsHistory(at url: URL) throws -> Bool { false }

    package static func statementReading(at url: URL) throws -> (any StatementReading)? { nil }

    package func relocate(to url: URL) throws -> Bool { false }
}

/// What is to be opened.
package struct OpeningRequest {
    package let url: URL
    package let options: [AnyHashable: Any]
    /// The configuration whose entities the store keeps; nil for all.
    package let configuration: String?
    package let layouts: ModelLayout
    package let delegate: any BackendDelegate

    package init(
        url: URL, options: [AnyHashable: Any], configuration: String?, layouts: ModelLayout,
        delegate: any BackendDelegate
    ) {
        self.url = url
        self.options = options
        self.configuration = configuration
        self.layouts = layouts
        self.delegate = delegate
    }
}

/// A store that has been opened, and what it says of itself.
package struct OpenedStore<Backend: StoreBackend> {
    package let backend: Backend
    package let metadata: [String: Any]
    package let identifier: String

    package init(backend: Backend, metadata: [String: Any], identifier: String) {
        self.backend = backend
        self.metadata = metadata
        self.identifier = identifier
    }
}
