import CoreDataModeling

/// Putting a store that is made of another's objects in its place, for kinds of stores that others may have open meanwhile.
package protocol StoreExchanging: AnyObject {
    /// Runs a block that makes a store of the new model of the objects of a store of the old one, and puts it in that one's place:
    /// wholly or not at all.
    ///
    /// No other connection reads or writes the store from before the block until the end, and connections that had it open are
    /// refused afterwards.
    /// - Throws: what the block throws, 134110 where others cannot be kept out or the store is of neither model; it is then as it
    ///   was, and nothing is left of the other one.
    static func exchangeStore(_ request: SchemaMigrationRequest, _ make: (StoreExchange) throws -> Void) throws
}

/// From where and to where objects are copied while a store is exchanged.
package struct StoreExchange {
    /// The store, which opens with the options though others are kept out.
    package let source: URL
    package let sourceOptions: [AnyHashable: Any]
    /// A place at which there is no store yet, and that no other process knows.
    package let destination: URL

    package init(source: URL, sourceOptions: [AnyHashable: Any], destination: URL) {
        self.source = source
        self.sourceOptions = sourceOptions
        self.destination = destination
    }
}
