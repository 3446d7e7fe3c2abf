import CoreDataSQL
import SQLiteKit

/// Carries out one save plan within a transaction.
///
/// Deletions come first, so that unique values become free; then updates, insertions, links, orders and derived
/// attributes. Rows of one entity with the same changed slots share a prepared statement.
struct SQLitePlanWriter {
    let file: StoreFile
    private var rows: RowWriter
    private var deletions: [Int: Deleter] = [:]

    init(file: StoreFile) {
        self.file = file
        rows = RowWriter(file: file)
    }

    /// - Throws: `SaveRefusal` if rows do not have the expected versions, or a uniqueness constraint would be violated.
    mutating func write(_ plan: SavePlan) throws {
        var derivations = file.derivedColumns.map { SQLiteDerivationWriter(file: file, columns: $0) }
        try derivations?.prepare(for: plan)
        try writeRows(plan)
        let links = LinkWriter(file: file)
        // Links are removed before others are added, so that a member that moves to another owner keeps the new one.
        for link in plan.links where link.isRemoval { try links.write(link) }
        for link in plan.links where !link.isRemoval { try links.write(link) }
        for order in plan.orders { try file.write(order) }
        try derivations?.write()
    }

    private mutating func writeRows(_ plan: SavePlan) throws {
        var conflicts: [RowAddress] = []
        for deletion in plan.deletions {
            if try !delete(deletion) { conflicts.append(deletion.address) }
        }
        for lock in plan.locks {
            if try !file.isUnchanged(lock) { conflicts.append(lock.address) }
        }
        for row in plan.updates {
            if try !rows.update(row) { conflicts.append(row.address) }
        }
        guard conflicts.isEmpty else { throw SaveRefusal(outcome: .conflicts(conflicts)) }
        try rows.writeParked()
        for row in plan.inserts {
            if try !rows.insert(row) { conflicts.append(row.address) }
        }
        guard conflicts.isEmpty else { throw SaveRefusal(outcome: .conflicts(conflicts)) }
        try rows.requireUnique()
        if file.lacksUniqueIndex { try SQLiteUniquenessSearch(file: file).requireUnique(plan.inserts + plan.updates) }
    }

    /// Deletes a row with the expected version, and its rows in join tables; returns false if there is no such row.
    private mutating func delete(_ deletion: SavePlan.Deletion) throws -> Bool {
        let layout = deletion.address.binding.layout
        if deletions[layout.number] == nil { deletions[layout.number] = try Deleter(layout, file) }
        return try deletions[layout.number]?.delete(deletion) ?? true
    }
}

extension StoreFile {
    /// Whether the row exists with the expected version.
    fileprivate func isUnchanged(_ lock: SavePlan.Lock) throws -> Bool {
        let table = SQLIdentifier.quoted(try mapping(of: lock.address.binding.layout).table)
        let statement = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE Z_PK = ? AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?")
        try statement.bind(lock.address.key, at: 1)
        try statement.bind(lock.expectedVersion, at: 2)
        return try statement.step()
    }
}

/// Deletes rows of one entity.
private final class Deleter {
    private let file: StoreFile
    private let statement: Statement
    /// The statements that remove references to the row from other tables; their parameter is the row's key.
    private let cleanups: [Statement]
    /// The query for the row's large values; nil if the entity has none.
    private let largeValues: Statement?

    init(_ layout: EntityLayout, _ file: StoreFile) throws {
        self.file = file
        let mapping = try file.mapping(of: layout)
        let table = SQLIdentifier.quoted(mapping.table)
        statement = try file.connection.prepare(
            "DELETE FROM \(table) WHERE Z_PK = ? AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?")
        cleanups = try mapping.toManys.flatMap(Self.cleanups).map { try file.connection.prepare($0) }
        largeValues = try LargeValueColumns(mapping)?.query(file.connection)
    }

    func delete(_ deletion: SavePlan.Deletion) throws -> Bool {
        if let largeValues { try file.external.markReplaced(in: largeValues, key: deletion.address.key) }
        try statement.bind(deletion.address.key, at: 1)
        try statement.bind(deletion.expectedVersion, at: 2)
        try statement.run()
        guard file.connection.changes == 1 else { return false }
        for cleanup in cleanups {
            try cleanup.bind(deletion.address.key, at: 1)
            try cleanup.run()
        }
        return true
    }

    /// Returns the statements that remove references to a deleted row: from join tables, and from members of
    /// relationships without inverse.
    private static func cleanups(of toMany: ToManyMapping) -> [String] {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .join(let join):
            return (join.isReflexive ? [join.ownColumn, join.otherColumn] : [join.ownColumn]).map {
                "DELETE FROM \(quoted(join.table)) WHERE \(quoted($0)) = ?"
            }
        case .foreignKey(let key) where toMany.inverse == nil:
            return [
                "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = NULL WHERE \(quoted(key.column)) = ?"
            ]
        case .foreignKey: return []
        }
    }
}
