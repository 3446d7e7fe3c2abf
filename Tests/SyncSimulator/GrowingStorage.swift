import CoreDataSync

/// A storage to which the plans of a baseline are added one after the other.
package final class GrowingStorage: SyncStorage {
    private var storage: MemoryStorage

    package init(_ storage: MemoryStorage) { self.storage = storage }

    package init(_ other: GrowingStorage) { storage = other.storage }

    package func apply(_ changes: [StateEntry]) { storage.apply(changes) }

    package func value(for key: [UInt8]) -> [UInt8]? { storage.value(for: key) }

    package func entries(withPrefix prefix: [UInt8]) -> [StateEntry] { storage.entries(withPrefix: prefix) }

    package func entries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) -> [StateEntry] {
        storage.entries(withPrefix: prefix, after: key, atMost: count)
    }
}
