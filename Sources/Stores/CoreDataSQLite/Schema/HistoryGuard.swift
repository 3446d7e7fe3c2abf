import SQLiteKit

/// Keeps a store whose history has transactions from being written without them: a reader of the history, such as
/// the app's other processes, would never hear of what was written.
///
/// Apple's framework too opens such a store read-only without `NSPersistentHistoryTrackingKey`; with the history all
/// deleted it is written again, though the tables are still there.
enum HistoryGuard {
    /// Why a database is not written without a history; nil for one that has none.
    static func reason(_ connection: Connection, _ catalog: Catalog) -> String? {
        guard catalog.table("ATRANSACTION") != nil, catalog.table("ACHANGE") != nil else { return nil }
        // A table that cannot be read may have rows.
        let isEmpty = (try? connection.rows("SELECT 1 FROM ATRANSACTION LIMIT 1").isEmpty) ?? false
        guard !isEmpty else { return nil }
        return "The store has persistent history, and was opened without NSPersistentHistoryTrackingKey, "
            + "so it is opened read-only."
    }
}
