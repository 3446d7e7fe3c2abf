/// Where a store keeps the state of sync: a table of bytes by bytes, whose changes are committed with those of the rows.
///
/// A store in a database has a table of its own for it, with the key as its primary key. Keys are compared byte by byte. What a
/// storage throws ends the event, of which then nothing is kept.
package protocol SyncStorage {
    func value(for key: [UInt8]) throws -> [UInt8]?
    /// The entries whose keys begin with a prefix, by key.
    func entries(withPrefix prefix: [UInt8]) throws -> [StateEntry]
    /// The first of the entries whose keys begin with a prefix and come after another key, by key: at most so many.
    func entries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) throws -> [StateEntry]
}

/// An entry of a storage; as a change, a value of nil takes the entry away.
package struct StateEntry: Hashable, Sendable {
    package let key: [UInt8]
    package let value: [UInt8]?

    package init(key: [UInt8], value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}
