import SQLiteKit

/// Gives out the keys of a history's rows within one transaction.
///
/// `Z_PRIMARYKEY` has the greatest key that was ever given out, and is corrected where the tables have greater ones.
struct HistoryKeys {
    private let connection: Connection
    private var greatest: [HistoryTables.Entity: Int64] = [:]

    init(_ connection: Connection) { self.connection = connection }

    /// The first of some consecutive keys.
    mutating func take(_ count: Int, of entity: HistoryTables.Entity) throws -> Int64 {
        let last = try greatest[entity] ?? HistoryKeys.greatest(entity, connection)
        let (next, overflow) = last.addingReportingOverflow(Int64(count))
        guard !overflow else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store's history has used the last key of \(entity.table).",
                hint: "Delete the history, and move the objects to a new store.")
        }
        greatest[entity] = next
        return last + 1
    }

    /// The key of a string, which gets one if it has none.
    mutating func string(_ text: String) throws -> Int64 {
        if let key = try connection.value("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)])?.integer
        {
            return key
        }
        let key = try take(1, of: .string)
        try connection.execute(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, \(HistoryTables.Entity.string.rawValue), ?)",
            [.integer(key), .text(text)])
        return key
    }

    /// Records the keys that were taken as given out.
    func record() throws {
        for (entity, key) in greatest {
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
