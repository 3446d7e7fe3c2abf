import CoreDataSQL
import SQLiteKit

/// A generation is a connection of its own in which a read transaction has begun: with a write-ahead log it goes on seeing
/// what was there then.
extension StoreFile: GenerationKeeping {
    package func keepGeneration() throws -> (any KeptGeneration)? {
        guard let reconnect, try connection.pragma("journal_mode")?.text == "wal" else { return nil }
        return try reporting("be read") {
            let connection = try reconnect()
            do {
                try connection.execute("BEGIN")
                // The transaction begins with its first look at the file.
                _ = try connection.value("SELECT count(*) FROM Z_METADATA")
                return try StoreFile(
                    connection: connection, copy: nil, url: url, layouts: layouts, configuration: configuration,
                    store: store, isReadOnly: true)
            } catch {
                connection.close()
                throw error
            }
        }
    }
}

extension StoreFile: KeptGeneration {
    package func release() { close() }
}
