import Foundation

/// Why an operation failed: its kind and what was wrong where.
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    private let kind: String
    private let detail: String

    private init(_ kind: String, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    /// A part of a predicate cannot be answered by a store.
    public static let unsupportedPredicate = SwiftDataError("unsupportedPredicate")
    /// A key path leads to nothing that the store can use.
    public static let unsupportedKeyPath = SwiftDataError("unsupportedKeyPath")
    /// A store cannot sort by the descriptor.
    public static let unsupportedSortDescriptor = SwiftDataError("unsupportedSortDescriptor")
    /// Identifiers cannot be sorted with unsaved changes; not thrown here, where they are.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError("sortingPendingChangesWithIdentifiers")
    /// A fetch in batches cannot include unsaved changes.
    public static let includePendingChangesWithBatchSize = SwiftDataError("includePendingChangesWithBatchSize")
    /// The schema cannot be stored, or a store cannot be opened.
    public static let loadIssueModelContainer = SwiftDataError("loadIssueModelContainer")
    /// The model is in no context.
    public static let missingModelContext = SwiftDataError("missingModelContext")
    /// A model has values that are not valid.
    public static let modelValidationFailure = SwiftDataError("modelValidationFailure")
    /// Two configurations name one file.
    public static let duplicateConfiguration = SwiftDataError("duplicateConfiguration")
    /// A configuration has a model that the container's schema lacks.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        "configurationSchemaNotFoundInContainerSchema")
    /// The name of a configuration cannot be that of a file.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        "configurationFileNameContainsInvalidCharacters")
    /// The name of a configuration is too long for a file.
    public static let configurationFileNameTooLong = SwiftDataError("configurationFileNameTooLong")
    /// The store is of no version of the plan.
    public static let unknownSchema = SwiftDataError("unknownSchema")
    /// The store is of a later version than the plan leads to.
    public static let backwardMigration = SwiftDataError("backwardMigration")
    /// The history cannot be fetched by the descriptor.
    public static let invalidTransactionFetchRequest = SwiftDataError("invalidTransactionFetchRequest")
    /// The history of a token was deleted, or is that of another store.
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
