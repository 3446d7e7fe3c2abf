import CoreData

/// The reason why a folder was not backed up, verified or restored.
public struct BackupError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable {
        /// A file or folder is missing, or cannot be read.
        case unreadable
        /// The destination exists already, lies within the source, or cannot be written.
        case unwritable
        /// The backup is not one, or of a later version.
        case noBackup
        /// Files of the backup are missing, or are not as they were written.
        case damaged
        /// The file system keeps no extended attributes.
        case noAttributes
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, on what, and what to do.
    public let reason: String

    init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
