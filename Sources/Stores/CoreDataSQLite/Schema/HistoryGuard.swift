import SQLiteKit

/// Prevents writing to a store whose history has transactions without recording them: a reader of the history, such as
/// the app's other processes, would never learn of these changes.
///
/// Apple's framework too opens such a store read-only without `NSPersistentHistoryTrackingKey`; once all history is
/// deleted the store can be written again, though the tables still exist.
enum HistoryGuard {
    /// Why a database cannot be written without a history; nil if it does not have one.
    static func reason(_ connection: Connection, _ catalog: Catalog) -> String? {
        guard catalog.table("ATRANSACTION") != nil, catalog.table("ACHANGE") != nil else { return nil }
        // A table that cannot be read may have rows.
        let isEmpty = (try? connection.rows("SELECT 1 FROM ATRANSACTION LIMIT 1").isEmpty) ?? false
        guard !isEmpty else { return nil }
        return "The store has persistent history, and was opened without NSPersistentHistoryTrackingKey, "
            + "so it is opened read-only."
    }
}
