import CoreData
import SQLiteKit

/// Checks that the tables of the persistent history are complete, and that each change has its transaction.
struct HistoryCheck {
    let raw: RawStore

    private var missing: [String] { raw.missingHistoryTables.sorted() }

    /// Whether some but not all tables of the history exist. A store without `ATRANSACTIONSTRING` alone is complete:
    /// stores from before 2017 lack that table.
    private var isHalfThere: Bool {
        let needed = missing.filter { $0 != "ATRANSACTIONSTRING" }
        return needed.count == 1 || needed.count == 2 && !missing.contains("ATRANSACTIONSTRING")
    }

    var faults: [StoreFault] {
        guard isHalfThere else { return [] }
        return [
            StoreFault(
                finding: StoreFinding(
                    .history,
                    "The history is half there: without \(missing.joined(separator: " and ")). It cannot be read as it is; "
                        + "opening the store with NSPersistentHistoryTrackingKey makes what is missing."))
        ]
    }

    /// The rules about rows of the history, grouped by table; empty if the history lacks a table or column they need.
    var rules: [(table: String, rules: [RowRule])] {
        guard raw.hasHistory, has("ACHANGE", ["ZTRANSACTIONID"]), has("ATRANSACTION", ["Z_PK"]) else { return [] }
        return [
            (
                "ACHANGE",
                [
                    RowRule(
                        kind: .history, table: "ACHANGE",
                        condition: "NOT EXISTS (SELECT 1 FROM ATRANSACTION x WHERE x.Z_PK = t.ZTRANSACTIONID)",
                        key: "NULL", entity: "NULL", detail: "t.ZTRANSACTIONID",
                        sentence: "A change of the history is of the transaction #, which does not exist.",
                        remedy: .delete("The change is removed: it cannot be read.", "ACHANGE"))
                ]
            )
        ]
    }

    private func has(_ table: String, _ columns: [String]) -> Bool {
        Set(raw.columns(of: table).map { $0.uppercased() }).isSuperset(of: columns)
    }
}
