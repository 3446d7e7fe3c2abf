import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// What SQLite's full check finds wrong with the file; none of a sound one.
    package func integrityFaults(limit: Int = 10) throws -> [String] {
        try reading { try connection.integrityFaults(limit: limit) }
    }
}
