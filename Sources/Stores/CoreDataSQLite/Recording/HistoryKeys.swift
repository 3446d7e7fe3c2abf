import SQLiteKit

/// Allocates the keys of the history's rows.
///
/// `Z_PRIMARYKEY` has the greatest key that was ever allocated; if the tables contain greater ones, these count. The
/// keys allocated by the last transaction of this connection are cached, and read again only if another connection has
/// written to the file since, or the transaction failed.
///
/// Used by one thread at a time, like its store.
final class HistoryKeys {
    private static let mostStrings = 1_000

    private var greatest: [HistoryTables.Entity: Int64] = [:]
    /// The entities for which this transaction has allocated keys.
    private var taken: Set<HistoryTables.Entity> = []
    private var strings: [String: Int64] = [:]
    /// SQLite's data version for which the cache is valid; nil if the cache is empty.
    private var version: UInt32?

    /// Begins to allocate keys within a write transaction.
    func begin(_ connection: Connection) {
        taken = []
        let present = connection.dataVersion
        // If SQLite reports no data version, another connection may have written to the file.
        if version != present || present == 0 { forget() }
    }

    /// Keeps the cached keys if the transaction was committed; otherwise clears the cache.
    func finish(wasCommitted: Bool, _ connection: Connection) {
        if wasCommitted { version = connection.dataVersion } else { forget() }
    }

    /// Clears the cache, so that keys are read from the file.
    func forget() {
        version = nil
        greatest = [:]
        strings = [:]
    }

    /// Allocates `count` consecutive keys; returns the first.
    func take(_ count: Int, of entity: HistoryTables.Entity, _ connection: Connection) throws -> Int64 {
        let last = try greatest[entity] ?? HistoryKeys.greatest(entity, connection)
        let (next, overflow) = last.addingReportingOverflow(Int64(count))
        guard !overflow else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store's history has used the last key of \(entity.table).",
                hint: "Delete the history, and move the objects to a new store.")
        }
        greatest[entity] = next
        taken.insert(entity)
        return last + 1
    }

    /// Returns the key of a string; inserts the string if it has no key.
    func string(_ text: String, _ connection: Connection) throws -> Int64 {
        if let known = strings[text] { return known }
        if strings.count == Self.mostStrings { strings = [:] }
        let key = try storedString(text, connection)
        strings[text] = key
        return key
    }

    private func storedString(_ text: String, _ connection: Connection) throws -> Int64 {
        if let key = try connection.value("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)])?.integer
        {
            return key
        }
        let key = try take(1, of: .string, connection)
        try connection.execute(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, \(HistoryTables.Entity.string.rawValue), ?)",
            [.integer(key), .text(text)])
        return key
    }

    /// Records the allocated keys in `Z_PRIMARYKEY`.
    func record(_ connection: Connection) throws {
        for entity in taken {
            guard let key = greatest[entity] else { continue }
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
                    + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3",
                [.integer(entity.rawValue), .text(entity.name), .integer(key)])
        }
    }

    /// Returns the greatest key that a row of an entity has ever had.
    static func greatest(_ entity: HistoryTables.Entity, _ connection: Connection) throws -> Int64 {
        let recorded = try connection.value(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity.rawValue)])?.integer
        let actual = try connection.value("SELECT max(Z_PK) FROM \(entity.table)")?.integer
        return max(0, recorded ?? 0, actual ?? 0)
    }
}
