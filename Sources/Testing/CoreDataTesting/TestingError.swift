import CoreData

/// The reason why something could not be set up for a test.
public struct TestingError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable {
        /// There is no model at the place given, or it cannot be read.
        case noModel
        /// The store was not added.
        case noStore
        /// The model has no entity, or no property, of a name.
        case unknownName
        /// The builder found no values that the model's rules accept.
        case notBuilt
        /// A fixture is missing, is malformed, or contains objects that the model's rules refuse.
        case badFixture
        /// A budget file cannot be read or written, or a budget has no entry in it.
        case badBudget
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, on what, and what to do.
    public let reason: String

    init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
