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
    /// The identifier of the import if some of its batches were committed before it failed, which
    /// `revertImport(_:)` takes back; nil if nothing was committed.
    public let identifier: String?

    init(_ code: Code, _ reason: String, refusals: [ImportSummary.Refusal] = [], identifier: String? = nil) {
        (self.code, self.reason, self.refusals, self.identifier) = (code, reason, refusals, identifier)
    }

    /// The public form of an error; cancellation stays what it is.
    ///
    /// - Parameters:
    ///   - usual: the kind of errors that do not show by themselves what they are about.
    ///   - store: the place of the store that is written, if one is.
    ///   - identifier: that of the import, if something was committed.
    static func from(
        _ error: any Error, _ usual: Code, writing store: String? = nil, identifier: String? = nil
    ) -> any Error {
        switch error {
        case is CancellationError: return error
        case let error as ImportError:
            return ImportError(error.code, error.reason, refusals: error.refusals, identifier: identifier)
        case let error as InspectionError:
            let code: Code =
                switch error.code {
                case .noHistory: .noHistory
                case .readOnly: .noStore
                case .unknownEntity, .unknownKey: .invalidMapping
                case _ where error.subject == store: .notSaved
                case .unreadable: .unreadable
                default: usual
                }
            return ImportError(code, error.description, identifier: identifier)
        default:
            return ImportError(store == nil ? usual : .notSaved, ErrorText.line(for: error), identifier: identifier)
        }
    }

    /// Runs a part of an import, whose errors are of a kind.
    static func naming<Result>(_ usual: Code, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw from(error, usual) }
    }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
