import CoreDataStore
import CoreDataSync

/// Compares all rows of a store with what sync knows of them. Saves that are still to be captured explain what they changed.
struct RowExamination {
    private static let portion = 500

    let transaction: StoreTransaction

    /// Passes each finding to a block.
    func run(_ found: (SyncFinding) -> Void) throws {
        guard let engine = transaction.engine, !transaction.isModelNewer else { return }
        let reader = LocalChangeReader(finder: transaction.finder, map: transaction.map)
        guard let pending = try pending(reader) else { return }
        let all = try reader.everything()
        for object in all.deleted.subtracting(pending.deleted).sorted() {
            found(
                SyncFinding(
                    .missingRow, "\(object)", "The row of an object is gone, and the history does not say why.",
                    cure: Self.cure))
        }
        var touched: Set<IdentityMap.Row> = []
        for (number, keys) in pending.changed {
            guard let entity = entity(number) else { continue }
            touched.formUnion(
                keys.map { IdentityMap.Row(root: transaction.finder.mapping.root(of: entity.layout), key: $0) })
        }
        for (number, keys) in all.changed.sorted(by: { $0.key < $1.key }) {
            guard let entity = entity(number) else { continue }
            let sorted = keys.sorted()
            for start in stride(from: 0, to: sorted.count, by: Self.portion) {
                let portion = Array(sorted[start..<min(start + Self.portion, sorted.count)])
                try compare(portion, entity, engine, touched, found)
            }
        }
    }

    private static let cure =
        "Run 'coredata sync doctor' with --repair, or exchange comparing all rows: what is in the store counts as edits."

    private func entity(_ number: Int) -> EntityMapping? {
        transaction.finder.mapping.entities.first { $0.layout.number == number }
    }

    /// How many objects were saved and not captured yet; nil without a history.
    func pendingCount() throws -> Int? {
        let reader = LocalChangeReader(finder: transaction.finder, map: transaction.map)
        return try pending(reader).map { $0.deleted.count + $0.changed.values.reduce(0) { $0 + $1.count } }
    }

    /// The rows that saves touched which were not captured yet; nil without a history, where each exchange compares all rows.
    private func pending(_ reader: LocalChangeReader) throws -> LocalChangeReader.Touched? {
        guard let history = transaction.finder.source.history,
            let bytes = try transaction.side.sideValue(for: AdapterKey.captured), bytes.count == 8
        else { return nil }
        let newest = try history.historyExtent().newest
        return try reader.touched(after: Int64(bitPattern: SideNumber.number(bytes[...])), through: newest, history)
    }

    private func compare(
        _ keys: [Int64], _ entity: EntityMapping, _ engine: SyncEngine, _ touched: Set<IdentityMap.Row>,
        _ found: (SyncFinding) -> Void
    ) throws {
        let rows = try transaction.finder.rows(entity.layout, keys).filter { !touched.contains($0.row) }
        let storage = transaction.storage
        var builder = LocalChangeBuilder(transaction.finder, transaction.map) { try engine.row($0, storage) }
        for row in rows {
            let name = "\(row.entity.name)/p\(row.row.key)"
            guard try transaction.map.identity(of: row.row) != nil else {
                found(
                    SyncFinding(
                        .unknownRow, name,
                        "An object is unknown to sync, and the history does not say who inserted it.",
                        cure: Self.cure))
                continue
            }
            guard let change = try builder.changes([row]).first else { continue }
            let names = (Array(change.values.keys) + Array(change.links.keys)).sorted().joined(separator: ", ")
            found(
                SyncFinding(
                    .differentRow, name,
                    "An object differs from what sync knows in \(names), and the history does not say who changed it.",
                    cure: Self.cure))
        }
    }
}
