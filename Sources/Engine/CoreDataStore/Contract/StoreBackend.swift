import CoreDataModeling

/// A type of store below the object graph; an instance is one open store, which stores records and metadata.
///
/// It does not depend on coordinators and objects: the graph's `BackedStore` implements a persistent store with it.
package protocol StoreBackend: ObjectStore, StoreAdministering {
    /// The name of the store type, such as `NSSQLiteStoreType`.
    static var storeType: String { get }
    /// The optional capabilities of a store of this type at a URL.
    static func capabilities(at url: URL?) -> StoreCapabilities
    /// The URL of a store for display, without passwords and other secrets.
    static func shownURL(_ url: URL) -> URL
    /// Opens a store; creates a missing one.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` stating why it cannot be used; existing files are unchanged.
    static func open(_ request: OpeningRequest) throws -> OpenedStore<Self>
    /// The metadata of a store that is not open.
    static func metadata(at url: URL) throws -> [String: Any]
    /// Replaces the metadata of a store that is not open; changes nothing else in the store.
    static func setMetadata(_ metadata: [String: Any], at url: URL) throws
    /// The model that is saved in a store that is not open; nil if the store contains none.
    static func cachedModel(at url: URL) throws -> NSManagedObjectModel?
    /// Whether a store that is not open records a history; implemented by types without a file in which tools can check
    /// it.
    static func keepsHistory(at url: URL) throws -> Bool
    /// Makes a connection that executes SQL statements on a store on a server; nil for types in files or in memory.
    ///
    /// - Throws: `StatementError` if statements are not allowed.
    static func statementReading(at url: URL) throws -> (any StatementReading)?
    /// Migrates the schema of stores of this type in place; nil if a migration must copy the objects to a new store.
    static var schemaMigrating: (any SchemaMigrating.Type)? { get }
    /// The error for a URL whose contents cannot be opened as a store.
    static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError
    /// Inconsistencies that were found in the store, as sentences.
    var problems: [String] { get }
    /// Moves the open store to another URL: the next save writes all contents there. Returns false if the caller must
    /// open the store at that URL instead.
    func relocate(to url: URL) throws -> Bool
    /// Closes the files; the caller calls no method afterwards.
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

/// The parameters of opening a store.
package struct OpeningRequest {
    package let url: URL
    package let options: [AnyHashable: Any]
    /// The configuration whose entities the store contains; nil for all entities.
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

/// A store that has been opened, and its metadata.
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
