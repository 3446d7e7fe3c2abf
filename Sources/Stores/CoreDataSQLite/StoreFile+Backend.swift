import CoreDataSQL
import SQLiteKit

extension StoreFile: StoreBackend {
    package static var storeType: String { NSSQLiteStoreType }

    package static func capabilities(at url: URL?) -> StoreCapabilities {
        let always: StoreCapabilities = [.derivedAttributes, .uniqueValues]
        return switch url.flatMap(MemoryPlace.init) {
        case .own: always
        case .shared: always.union(.shared)
        case nil: always.union([.durable, .shared])
        }
    }

    package var roundsDecimals: Bool { true }

    package static func open(_ request: OpeningRequest) throws -> OpenedStore<StoreFile> {
        SQLDebug.install()
        let opening = SQLiteStoreOpening(
            url: request.url, options: request.options, configuration: request.configuration)
        do {
            let opened = try opening.open(layouts: request.layouts, store: request.delegate)
            return OpenedStore(backend: opened.file, metadata: opened.metadata, identifier: opened.identifier)
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: request.url)
        }
    }

    package static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError {
        StoreErrors.unusable(url, reason, hint: hint)
    }

    // MARK: Stores that are not open

    package static func metadata(at url: URL) throws -> [String: Any] {
        SQLDebug.install()
        return try SQLiteUnopenedStore(url: url).metadata()
    }

    package static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        SQLDebug.install()
        try MetadataEdit(url: url).write(metadata)
    }

    /// Returns the model cached in a store; nil if there is none.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` when the file is not a store or its model cannot be read.
    package static func cachedModel(at url: URL) throws -> NSManagedObjectModel? {
        SQLDebug.install()
        return try SQLiteUnopenedStore(url: url).cachedModel()
    }

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

    package static func copyStore(at source: URL, to destination: URL) throws {
        SQLDebug.install()
        try SQLiteStoreCopy(source: source, destination: destination).run()
    }

    package static func publishStore(at temporary: URL, as url: URL) throws {
        try StorePublication(temporary: temporary, url: url).run()
    }

    package static func discardStore(at url: URL) { StoreDestruction(url: url, options: [:]).removeFiles() }
}
