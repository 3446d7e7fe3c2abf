import SQLiteKit

/// What a file was when it last proved to be the store that was opened; it may have got other content since.
struct VerifiedState {
    /// The connection's number of commits by anybody; as long as it is the same, so is the file.
    var dataVersion: UInt32 = 0
    /// The property list of the metadata, which states the version of the model.
    var metadata: Value?
    /// The greatest number of a transaction of the history.
    private(set) var transaction: Int64 = 0

    mutating func note(transaction number: Int64) { transaction = max(transaction, number) }
}
