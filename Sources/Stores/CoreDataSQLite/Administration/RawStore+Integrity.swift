import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// Returns the faults that SQLite's `integrity_check` finds in the file; empty for an intact file.
    package func integrityFaults(limit: Int = 10) throws -> [String] {
        try reading { try connection.integrityFaults(limit: limit) }
    }
}
