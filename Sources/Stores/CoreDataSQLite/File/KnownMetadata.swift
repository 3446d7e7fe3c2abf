import SQLiteKit

/// The program's metadata as this store last read or wrote it, to detect changes by other connections.
struct KnownMetadata {
    /// The property list as stored in the file.
    var bytes: Value?
    /// The program's own entries.
    var entries: [String: Any] = [:]
    /// SQLite's data version of the connection when the metadata was last compared.
    var dataVersion: UInt32 = 0
}
