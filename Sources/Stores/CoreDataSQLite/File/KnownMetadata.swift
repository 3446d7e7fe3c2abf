import SQLiteKit

/// The program's metadata as this store has last read or written it, so that it is noticed when others have changed it.
struct KnownMetadata {
    /// The property list as it stands in the file.
    var bytes: Value?
    /// The entries that belong to the program.
    var entries: [String: Any] = [:]
    /// The connection's number of commits by anybody when that was last looked at.
    var dataVersion: UInt32 = 0
}
