/// The error for a typed Swift predicate that cannot be converted to an `NSPredicate`, with the part without a
/// counterpart.
public struct PredicateConversionError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The part, as it was written or by its kind.
    public let part: String
    /// Why the part cannot be converted.
    public let reason: String

    /// The text for messages and logs.
    public var description: String { "the predicate cannot be converted: \(part): \(reason)" }

    /// The description as an error.
    public var errorDescription: String? { description }
}
