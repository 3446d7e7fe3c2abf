import CoreDataSQL
import SQLiteKit
import Synchronization

extension StoreFile {
    /// The statements that change the file while a block saves, with their values as literals; everything is rolled back.
    ///
    /// Called by the holder of the store. Objects that took part must not be used afterwards.
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

    /// Whether a statement writes rows, rather than reading them or bounding a transaction.
    private static func changesData(_ sql: String) -> Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains { sql.hasPrefix($0) }
            || sql.hasPrefix("WITH") && sql.contains(" UPDATE ")
    }
}
