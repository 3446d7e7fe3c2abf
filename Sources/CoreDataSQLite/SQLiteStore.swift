import CoreDataGraph
import CoreDataSQL
import SQLiteKit

/// A store in one file of SQLite, in the schema that Apple's framework writes.
///
/// Invariants:
/// 1. `file`, which is `objects` too, is set by a successful `loadMetadata()` and taken away by `willRemove(from:)`; it is used only by one
///    thread at a time, since the coordinator serialises its calls.
/// 2. Nothing is written unless the store was opened for writing and `file.problemsThatForbidWriting` is empty.
package final class SQLiteStore: NSPersistentStore, @unchecked Sendable {
    /// The open file and what was made of its schema.
    private var file: StoreFile? {
        didSet {
            objects = file
            openCapabilities = file.map { _ in Self.capabilities(at: url) }
        }
    }
    /// What the open file can do; nil while none is open.
    private var openCapabilities: Capabilities?
    private var stored: [String: Any] = [:]

    override package var type: String { NSSQLiteStoreType }

    override package var capabilities: Capabilities { openCapabilities ?? Self.capabilities(at: url) }

    private static func capabilities(at url: URL?) -> Capabilities {
        switch url.flatMap(MemoryPlace.init) {
        case .own: []
        case .shared: .shared
        case nil: [.durable, .shared]
        }
    }

    override package var isReadOnly: Bool {
        get { file?.isReadOnly ?? super.isReadOnly }
        set { super.isReadOnly = newValue }
    }

    private var openingOptions: [AnyHashable: Any] {
        (options ?? [:]).merging([NSReadOnlyPersistentStoreOption: super.isReadOnly]) { $1 }
    }

    override package var metadata: [String: Any]! {
        get { serialized { stored } }
        set {
            serialized {
                stored = newValue ?? [:]
                hasUnsavedMetadata = true
            }
        }
    }

    /// What was found to be not as it should be, as sentences: rows passed over, differences from the model.
    package var problems: [String] { serialized { file?.problems ?? [] } }

    /// The names of the store's tables and indexes, with the statements that made them.
    package var catalogDescription: [(kind: String, name: String, table: String, sql: String)] {
        get throws {
            try serialized {
                guard let catalog = try file?.connection.catalog() else { return [] }
                return catalog.tables.map { ("table", $0.name, $0.name, $0.sql) }
                    + catalog.indexes.map { ("index", $0.name, $0.table, $0.sql) }
                    + catalog.triggers.map { ("trigger", $0.name, $0.table, $0.sql) }
            }
        }
    }

    /// Opens the file, or creates it, and checks that the coordinator's model is the one it was made with.
    ///
    /// - Throws: 134080 when the file cannot be opened or is no store, 134100 when its model is another, 134060 and
    ///   others of `NSCocoaErrorDomain`. The file is left as it was.
    override package func loadMetadata() throws {
        SQLDebug.install()
        guard let url, let coordinator = persistentStoreCoordinator else { return }
        let opening = StoreOpening(url: url, options: openingOptions, configuration: configurationName)
        do {
            let opened = try opening.open(layouts: coordinator.modelLayout, store: self)
            file = opened.file
            stored = opened.metadata
            identifier = opened.identifier
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
    }

    override package func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        file?.close()
        file = nil
    }

    override package class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        SQLDebug.install()
        return try StorePeek(url: url).metadata()
    }

    override package class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        SQLDebug.install()
        try MetadataEdit(url: url).write(metadata ?? [:])
    }

    /// The model that the store carries; nil when it carries none.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` when the file is no store or its model cannot be read.
    package static func cachedModel(at url: URL) throws -> NSManagedObjectModel? {
        SQLDebug.install()
        return try StorePeek(url: url).cachedModel()
    }
}

extension SQLiteStore: StoreRelocating {
    package func relocate(to url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path), let coordinator = persistentStoreCoordinator else {
            throw StoreErrors.unusable(url, "there is no such file", hint: "Move the store's file there first.")
        }
        let opening = StoreOpening(url: url, options: openingOptions, configuration: configurationName)
        let opened: StoreOpening.Opened
        do {
            opened = try opening.open(layouts: coordinator.modelLayout, store: self)
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
        guard opened.identifier == identifier else {
            opened.file.close()
            throw StoreErrors.unusable(
                url, "it is another store, with the identity \(opened.identifier)",
                hint: "Remove the old store and add this one.")
        }
        file?.close()
        self.url = url
        file = opened.file
    }
}

extension SQLiteStore: StoreAdministering {
    package static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws {
        SQLDebug.install()
        try StoreDestruction(url: url, options: options).run()
    }

    package static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws {
        SQLDebug.install()
        try StoreReplacement(source: source, destination: destination, options: options).run()
    }

    package static func publishStore(at draft: URL, as url: URL) throws {
        try StorePublication(draft: draft, url: url).run()
    }

    package static func discardStore(at url: URL) { StoreDestruction(url: url, options: [:]).removeFiles() }
}
