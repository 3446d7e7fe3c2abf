import CoreDataStore
import CoreDataSync
import Foundation

/// Keeps what a store that only receives saved, for its status.
struct RefusedWrites {
    /// How many are kept, the latest.
    private static let greatestCount = 50

    private let transaction: StoreTransaction

    init(_ transaction: StoreTransaction) { self.transaction = transaction }

    /// Adds changes that the engine is about to take back.
    func add(_ changes: [LocalChange]) throws {
        var all = try Self.all(transaction.side)
        let date = Date(timeIntervalSince1970: Double(transaction.now) / 1_000)
        for change in changes.suffix(Self.greatestCount) { all.append(try write(change, date)) }
        let encoded = try JSONEncoder().encode(all.suffix(Self.greatestCount))
        transaction.note(AdapterKey.refusedWrites, Array(encoded))
    }

    private func write(_ change: LocalChange, _ date: Date) throws -> SyncRefusedWrite {
        var object: ObjectIdentity?
        if case .known(let known) = change.object { object = known }
        let row = try object.flatMap { try transaction.engine?.row($0, transaction.storage) }
        let (kind, entity): (SyncRefusedWrite.Kind, String) =
            switch change.kind {
            case .insert(let entity): (.inserted, entity)
            case .update: (.updated, row?.entity ?? "")
            case .delete: (.deleted, row?.entity ?? "")
            }
        let keys = kind == .updated ? Array(change.values.keys) + Array(change.links.keys) : []
        return SyncRefusedWrite(
            date: date, kind: kind, entity: entity, object: object?.description, keys: keys.sorted())
    }

    /// Those that are kept, the earliest first.
    static func all(_ side: any SideTableKeeping) throws -> [SyncRefusedWrite] {
        guard let bytes = try side.sideValue(for: AdapterKey.refusedWrites) else { return [] }
        return (try? JSONDecoder().decode([SyncRefusedWrite].self, from: Data(bytes))) ?? []
    }
}
