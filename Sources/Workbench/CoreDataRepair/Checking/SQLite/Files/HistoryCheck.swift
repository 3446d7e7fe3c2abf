import CoreData
import SQLiteKit

/// Whether the tables of a store's history are complete and belong together.
struct HistoryCheck {
    let raw: RawStore

    private var missing: [String] { raw.missingHistoryTables.sorted() }

    /// Stores from before 2017 lack the table of strings; the two others only occur together.
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

    /// Rules about rows of the history, by the tables that they are about.
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
