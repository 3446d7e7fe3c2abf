import CoreDataModeling

/// Putting a store that is made of another's objects in its place, for kinds of stores that others may have open meanwhile.
package protocol StoreExchanging: AnyObject {
    /// Runs a block that makes a store of the new model from the objects of a store of the old one, and replaces the old store by
    /// it, atomically.
    ///
    /// No other connection reads or writes the store from before the block until the end, and connections that had it open are
    /// refused afterwards.
    /// - Throws: what the block throws, `NSMigrationError` if others cannot be locked out or the store is of neither model; it is then
    ///   unchanged, and the new store is removed.
    static func exchangeStore(_ request: SchemaMigrationRequest, _ make: (StoreExchange) throws -> Void) throws
}

/// The store whose objects the block of `exchangeStore` copies, and the URL of the new store that replaces it.
package struct StoreExchange {
    /// The store, which opens with the options though others are kept out.
    package let source: URL
    package let sourceOptions: [AnyHashable: Any]
    /// A place without a store, which no other process knows.
    package let destination: URL

    package init(source: URL, sourceOptions: [AnyHashable: Any], destination: URL) {
        self.source = source
        self.sourceOptions = sourceOptions
        self.destination = destination
    }
}
