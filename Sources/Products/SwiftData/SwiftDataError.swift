import Foundation

/// Why an operation failed: its kind and what was wrong where.
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    private let kind: String
    private let detail: String

    private init(_ kind: String, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    public static let unsupportedPredicate = SwiftDataError("unsupportedPredicate")
    public static let unsupportedKeyPath = SwiftDataError("unsupportedKeyPath")
    public static let unsupportedSortDescriptor = SwiftDataError("unsupportedSortDescriptor")
    public static let includePendingChangesWithBatchSize = SwiftDataError("includePendingChangesWithBatchSize")
    public static let loadIssueModelContainer = SwiftDataError("loadIssueModelContainer")
    public static let missingModelContext = SwiftDataError("missingModelContext")
    public static let modelValidationFailure = SwiftDataError("modelValidationFailure")
    public static let duplicateConfiguration = SwiftDataError("duplicateConfiguration")
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        "configurationSchemaNotFoundInContainerSchema")
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        "configurationFileNameContainsInvalidCharacters")
    public static let configurationFileNameTooLong = SwiftDataError("configurationFileNameTooLong")
    public static let unknownSchema = SwiftDataError("unknownSchema")
    public static let backwardMigration = SwiftDataError("backwardMigration")
    public static let invalidTransactionFetchRequest = SwiftDataError("invalidTransactionFetchRequest")
    public static let historyTokenExpired = SwiftDataError("historyTokenExpired")

    static func invalidSchema(_ detail: String) -> SwiftDataError { loadIssueModelContainer.stating(detail) }

    /// The error with what was wrong.
    func stating(_ detail: String) -> SwiftDataError { SwiftDataError(kind, detail) }

    public var description: String { detail.isEmpty ? "SwiftDataError.\(kind)" : "SwiftDataError.\(kind): \(detail)" }
    public var errorDescription: String? { description }

    /// Whether an error is of the kind of a pattern.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.kind == pattern.kind
    }
}
