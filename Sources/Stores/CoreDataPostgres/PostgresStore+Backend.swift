import CoreDataSQL
import PostgresKit

extension PostgresStore: StoreBackend {
    package static var storeType: String { CoreDataPostgreSQLStoreType }

    package static func capabilities(at url: URL?) -> StoreCapabilities {
        [.durable, .shared, .exactDecimals, .exactReals, .derivedAttributes, .uniqueValues]
    }

    package static func shownURL(_ url: URL) -> URL { url.withoutPasswords }

    package static func open(_ request: OpeningRequest) throws -> OpenedStore<PostgresStore> {
        try PostgresStoreOpening(request).open()
    }

    package static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError {
        PostgresLocation.refusal(url, reason, hint: hint)
    }

    // MARK: Stores that are not open

    package static func metadata(at url: URL) throws -> [String: Any] {
        try PostgresUnopenedStore(url).withStore("be read") { try $0.metadata().shown }
    }

    package static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        try PostgresUnopenedStore(url).withStore("be given metadata") { try $0.setMetadata(metadata) }
    }

    package static func cachedModel(at url: URL) throws -> NSManagedObjectModel? {
        try PostgresUnopenedStore(url).withStore("be read") { try $0.cachedModel() }
    }

    package static func keepsHistory(at url: URL) throws -> Bool {
        try PostgresUnopenedStore(url).withStore("be read") { try $0.hasTable("AHISTORY") }
    }

    package static func statementReading(at url: URL) throws -> (any StatementReading)? {
        try PostgresStatementReader(PostgresLocation(url))
    }

    package static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws {
        try PostgresUnopenedStore(url).destroy()
    }

    package static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws {
        try PostgresStoreCopy(from: PostgresLocation(source), to: PostgresLocation(destination)).run(replacing: true)
    }

    package static func publishStore(at temporary: URL, as url: URL) throws {
        try PostgresStoreCopy(from: PostgresLocation(temporary), to: PostgresLocation(url)).run(replacing: false)
        discardStore(at: temporary)
    }

    package static func copyStore(at source: URL, to destination: URL) throws {
        try PostgresStoreCopy(from: PostgresLocation(source), to: PostgresLocation(destination)).run(replacing: false)
    }

    package static func discardStore(at url: URL) { try? destroyStore(at: url, options: [:]) }
}
