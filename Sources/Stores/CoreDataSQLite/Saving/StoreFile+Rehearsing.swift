import CoreDataSQL
import SQLiteKit
import Synchronization

extension StoreFile {
    /// Returns the statements with which saves in `body` change the file, with values as literals; everything is rolled
    /// back.
    ///
    /// Called by the store's current user. Objects that were saved must not be used afterwards.
    /// - Throws: what `body` throws, and what SQLite does; the file is as before in any case.
    package func statements(ofRehearsed body: () throws -> Void) throws -> [String] {
        struct TakenBack: Error {}
        let lines = Mutex<[String]>([])
        let former = connection.log
        do {
            try savingTogether {
                try connection.recordingStatements { sql in
                    lines.withLock { $0.append(sql) }
                } while: {
                    try body()
                }
                throw TakenBack()
            }
        } catch is TakenBack {}
        connection.log = former
        return lines.withLock { $0 }.filter { Self.changesData($0) }
    }

    /// Whether a statement writes rows.
    private static func changesData(_ sql: String) -> Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains { sql.hasPrefix($0) }
            || sql.hasPrefix("WITH") && sql.contains(" UPDATE ")
    }
}
