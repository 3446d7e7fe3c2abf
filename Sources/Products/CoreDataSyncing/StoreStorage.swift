import CoreDataStore
import CoreDataSync

/// The engine's state in the side table of a store.
struct StoreStorage: SyncStorage {
    let side: any SideTableKeeping

    func value(for key: [UInt8]) throws -> [UInt8]? { try side.sideValue(for: key) }

    func entries(withPrefix prefix: [UInt8]) throws -> [StateEntry] {
        try side.sideEntries(withPrefix: prefix).map { StateEntry(key: $0.key, value: $0.value) }
    }

    func entries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) throws -> [StateEntry] {
        try side.sideEntries(withPrefix: prefix, after: key, atMost: count)
            .map { StateEntry(key: $0.key, value: $0.value) }
    }
}
