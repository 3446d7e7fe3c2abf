import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// The faults that SQLite's full check finds in the file; empty for a sound file.
    package func integrityFaults(limit: Int = 10) throws -> [String] {
        try reading { try connection.integrityFaults(limit: limit) }
    }
}
