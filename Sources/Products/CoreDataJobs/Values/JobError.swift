import Foundation

/// Why a job, a queue or a journal refuses something.
public struct JobError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The job is in a queue, runs, or has ended: a job runs once.
        case alreadyUsed
        /// Asynchronous work cannot run in the place of a caller that waits.
        case workIsAsynchronous
        /// The journal has no such record: the job has ended, or was discarded.
        case noRecord
        /// Another process, or another job of this one, has the record.
        case recordInUse
        /// The record cannot be read as one.
        case damagedRecord
        /// A value is larger than the journal takes.
        case recordTooLarge
        /// A file of the journal cannot be read or written.
        case unusableFile
        /// The state of the network cannot be read.
        case noNetworkState
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, to what, and what helps, in a sentence for people.
    public let reason: String

    init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    /// A failed call of the system, with its reason.
    static func file(_ path: String, _ attempt: String, _ number: Int32 = errno) -> JobError {
        JobError(.unusableFile, "\(path) cannot be \(attempt): \(String(cString: strerror(number)))")
    }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
