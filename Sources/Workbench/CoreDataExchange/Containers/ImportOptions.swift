import CoreData
import CoreDataTransfer

/// How a container imports a document.
public struct ImportOptions: Sendable {
    /// The author of the import's transactions in the store's history.
    public var author: String? = "import"
    /// After how many records what has come is committed, and announced to other contexts. Nil leaves it to the mapping: with
    /// `errors = stop` all is one transaction, with `errors = skip` each 1,000 records are.
    public var batchSize: Int?
    /// Whether the import only finds out what it would do.
    public var isDryRun = false
    /// Whether the document is read also if it has not changed since the same import was last made.
    public var fetchesAlways = false
    /// The identifier of the store that gets new objects, where several keep the entities of the mapping.
    public var storeIdentifier: String?
    /// The session that sends the requests, with its limits of time, redirects and addresses.
    public var session = TransferSession.shared
    /// Header fields of all requests.
    public var headerFields: [String: String] = [:]
    /// Called with the bytes of the document that have been imported, and the number of all, on a thread of the import,
    /// which holds the store's lock: it must not wait for another context of the store.
    public var onProgress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)?
    /// Called with the identifier of the import after each batch is committed, on a thread of the import: by it
    /// `revertImport(_:)` takes back what an import had committed when it was cancelled.
    public var onCommit: (@Sendable (_ identifier: String) -> Void)?

    /// Makes the default options.
    public init() {}
}
