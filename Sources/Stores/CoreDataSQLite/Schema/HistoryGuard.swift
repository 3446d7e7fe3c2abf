import SQLiteKit

/// Prevents writing to a store with persistent history without recording it: readers of the history, such as other
/// processes of the app, would miss the changes.
///
/// Apple's framework also opens such a store read-only without `NSPersistentHistoryTrackingKey`. Once all history has
/// been deleted, the store can be written again, although the tables still exist.
enum HistoryGuard {
    /// Returns why a database cannot be written without recording history; nil if its history has no transactions.
    static func reason(_ connection: Connection, _ catalog: Catalog) -> String? {
        guard catalog.table("ATRANSACTION") != nil, catalog.table("ACHANGE") != nil else { return nil }
        // A table that cannot be read may contain rows.
        let isEmpty = (try? connection.rows("SELECT 1 FROM ATRANSACTION LIMIT 1").isEmpty) ?? false
        guard !isEmpty else { return nil }
        return "The store has persistent history, and was opened without NSPersistentHistoryTrackingKey, "
            + "so it is opened read-only."
    }
}
