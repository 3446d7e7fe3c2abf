import SQLiteKit

/// Keeps stores with persistent history from being written: a save would not be recorded there, and whoever follows the
/// history, such as the app's other processes, would never hear of it.
///
/// Apple's framework too only reads such a store when it is opened without `NSPersistentHistoryTrackingKey`.
enum HistoryGuard {
    /// Why a database is not written; nil for one without history.
    static func reason(_ catalog: Catalog) -> String? {
        guard ["ATRANSACTION", "ACHANGE"].contains(where: { catalog.table($0) != nil }) else { return nil }
        return "The store has persistent history, in which changes are not recorded yet, so it is opened read-only."
    }
}
