import SQLiteKit

/// The file's state when it was last verified to be the store that was opened; its content may have been replaced
/// since.
struct VerifiedState {
    /// SQLite's data version of the connection; while it is unchanged, so is the file.
    var dataVersion: UInt32 = 0
    /// The property list of the metadata, which contains the version hashes of the model.
    var metadata: Value?
    /// The greatest transaction number of the history.
    private(set) var transaction: Int64 = 0

    mutating func note(transaction number: Int64) { transaction = max(transaction, number) }
}
