import CoreDataModeling

/// Replaces a store by one that was made of its objects, for types whose stores others may have open meanwhile.
package protocol StoreExchanging: AnyObject {
    /// Runs a block that copies the objects of a store of the old model into a store of the new model, and then
    /// replaces the old store by the new one, atomically.
    ///
    /// From before the block until the replacement no other connection can read or write the store; connections that
    /// had the old store open get errors afterwards.
    /// - Throws: what the block throws; `NSMigrationError` if other connections cannot be locked out, or if the store
    ///   has neither model. The old store is unchanged then, and the new store is removed.
    static func exchangeStore(_ request: SchemaMigrationRequest, _ make: (StoreExchange) throws -> Void) throws
}

/// The store whose objects the block of `exchangeStore` copies, and the URL of the new store that replaces it.
package struct StoreExchange {
    /// The URL of the old store; opening it with `sourceOptions` succeeds although other connections are locked out.
    package let source: URL
    package let sourceOptions: [AnyHashable: Any]
    /// A URL without a store, which no other process knows.
    package let destination: URL

    package init(source: URL, sourceOptions: [AnyHashable: Any], destination: URL) {
        self.source = source
        self.sourceOptions = sourceOptions
        self.destination = destination
    }
}
