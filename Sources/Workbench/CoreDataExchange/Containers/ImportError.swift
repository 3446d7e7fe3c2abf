import CoreData

/// Why a document was not imported.
public struct ImportError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable {
        /// The document cannot be fetched or read, or is not of its form.
        case unreadable
        /// The mapping is wrong, or names what the model does not have.
        case invalidMapping
        /// The mapping says that a refused record stops the import, and one was refused.
        case refused
        /// The container has no store for the entities of the mapping, or one that can only be read.
        case noStore
        /// The store has no history of the import, or none with the former values.
        case noHistory
        /// Something else has changed what the import to be taken back had changed.
        case changedSince
        /// The store could not save.
        case notSaved
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence for people, with the URL and the line where there are some.
    public let reason: String
    /// The first 1,000 refused records.
    public let refusals: [ImportSummary.Refusal]

    init(_ code: Code, _ reason: String, refusals: [ImportSummary.Refusal] = []) {
        (self.code, self.reason, self.refusals) = (code, reason, refusals)
    }

    /// The public form of an error; cancellation stays what it is.
    static func from(_ error: any Error) -> any Error {
        guard let error = error as? InspectionError else { return error }
        let code: Code =
            switch error.code {
            case .unreadable: .unreadable
            case .noHistory: .noHistory
            case .readOnly: .noStore
            case .badValue where error.cause.hasPrefix("not saved"): .notSaved
            default: .invalidMapping
            }
        return ImportError(code, error.description)
    }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
