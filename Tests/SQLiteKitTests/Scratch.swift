import Foundation
import SQLiteKit

/// A folder that goes away with the value that holds it.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "sqlitekit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "a.sqlite") -> String { path + "/" + name }

    /// Makes a database of one table `t (a, b)` with `rows` rows.
    func database(_ name: String = "a.sqlite", rows: Int = 0, journal: String = "DELETE") throws -> String {
        let connection = try Connection.open(file(name), OpenOptions(mode: .create))
        try connection.setPragma("journal_mode", to: .text(journal))
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try connection.transaction {
            for row in 0..<rows {
                try connection.execute(
                    "INSERT INTO t (a, b) VALUES (?, ?)", [.integer(Int64(row)), .text("row \(row)")])
            }
        }
        connection.close()
        return file(name)
    }
}

/// The error that a body throws, nil if it throws none or another kind.
func sqliteError(_ body: () throws -> Void) -> SQLiteError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SQLiteError
    }
}
