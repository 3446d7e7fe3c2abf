import SQLiteKit

/// Gives out the keys of a history's rows.
///
/// `Z_PRIMARYKEY` has the greatest key that was ever assigned, and is corrected if the tables have greater ones. The keys
/// assigned by the last transaction of the same connection are cached, and queried again only when another connection
/// has written to the file since, or the transaction failed.
///
/// Confined like its store.
final class HistoryKeys {
    private static let mostStrings = 1_000

    private var greatest: [HistoryTables.Entity: Int64] = [:]
    /// Those from which keys were taken in this transaction.
    private var taken: Set<HistoryTables.Entity> = []
    private var strings: [String: Int64] = [:]
    /// The version of the file that what is remembered is of; nil when nothing is.
    private var version: UInt32?

    /// Begins to give out keys within a transaction that writes.
    func begin(_ connection: Connection) {
        taken = []
        let present = connection.dataVersion
        // A database that does not report its version may have been written to by any other connection.
        if version != present || present == 0 { forget() }
    }

    /// Remembers the keys when they are in the file, and forgets them when they are not.
    func finish(wasCommitted: Bool, _ connection: Connection) {
        if wasCommitted { version = connection.dataVersion } else { forget() }
    }

    /// Asks the file for everything from here on.
    func forget() {
        version = nil
        greatest = [:]
        strings = [:]
    }

    /// The first of some consecutive keys.
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

    /// The key of a string; a string without one gets a new key.
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

    /// Records the keys that were taken as given out.
    func record(_ connection: Connection) throws {
        for entity in taken {
            guard let key = greatest[entity] else { continue }
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
                    + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3",
                [.integer(entity.rawValue), .text(entity.name), .integer(key)])
        }
    }

    /// The greatest key that a row of an entity has ever had.
    static func greatest(_ entity: HistoryTables.Entity, _ connection: Connection) throws -> Int64 {
        let recorded = try connection.value(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity.rawValue)])?.integer
        let actual = try connection.value("SELECT max(Z_PK) FROM \(entity.table)")?.integer
        return max(0, recorded ?? 0, actual ?? 0)
    }
}
