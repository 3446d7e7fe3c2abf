import CoreData
import SQLiteKit

/// Runs SQLite's integrity check, which finds damaged pages and indexes that do not match their tables.
struct IntegrityCheck {
    /// The number of faults after which SQLite's check stops.
    static let mostFaults = 1_000

    let connection: Connection

    func faults() -> [StoreFault] {
        do {
            return try connection.integrityFaults(limit: Self.mostFaults).map(fault)
        } catch {
            return [StoreFault(finding: Self.unreadable(error))]
        }
    }

    static func unreadable(_ error: any Error, _ place: String = "The file") -> StoreFinding {
        let reason =
            (error as? SQLiteError).map { PrintableText.escaped($0.message, limit: 200) } ?? ErrorText.line(for: error)
        return StoreFinding(
            .damagedFile, "\(place) cannot be read to its end (\(reason)); 'coredata recover' saves what can be read.")
    }

    private func fault(_ text: String) -> StoreFault {
        let line = PrintableText.escaped(text, limit: 300)
        guard let name = Self.index(in: text) else {
            return StoreFault(
                finding: StoreFinding(
                    .damagedFile, "SQLite finds damage: \(line). 'coredata recover' saves what can be read."))
        }
        guard !text.contains(Self.doubled) || !hasDuplicates(name) else {
            return StoreFault(
                finding: StoreFinding(
                    .duplicateValues,
                    "Values are there twice that the index \(PrintableText.escaped(name, limit: 100)) keeps unique."))
        }
        return StoreFault(
            finding: StoreFinding(
                .indexOutOfStep, "An index is out of step with its table: \(line).",
                remedy: "The index is rebuilt from the table."),
            statements: [("REINDEX \(SQLIdentifier.quoted(name))", [])])
    }

    private static let doubled = "non-unique entry in index "

    /// Whether the table of a unique index has duplicate values, so that `REINDEX` would fail; true if that is unknown.
    ///
    /// The query reads the table without using the index, which may be wrong.
    private func hasDuplicates(_ index: String) -> Bool {
        let columns = try? connection.rows("SELECT name FROM pragma_index_info(?)", [.text(index)]).compactMap {
            $0[0].text
        }
        guard let columns, !columns.isEmpty,
            let table = try? connection.value("SELECT tbl_name FROM sqlite_master WHERE name = ?", [.text(index)])?.text
        else { return true }
        let quoted = columns.map { "+" + SQLIdentifier.quoted($0) }
        let set = quoted.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let sql =
            "SELECT 1 FROM \(SQLIdentifier.quoted(table)) NOT INDEXED WHERE \(set) "
            + "GROUP BY \(quoted.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1"
        do { return try !connection.rows(sql).isEmpty } catch { return true }
    }

    /// The name of the index in a line of SQLite's check; nil if the line reports another kind of fault.
    private static func index(in text: String) -> String? {
        for words in [doubled, "missing from index ", "wrong # of entries in index ", "values differ from index "] {
            if let range = text.range(of: words) { return String(text[range.upperBound...]) }
        }
        return nil
    }
}
