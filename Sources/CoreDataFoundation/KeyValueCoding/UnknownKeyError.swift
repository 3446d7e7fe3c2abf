/// A key was used that its owner does not have.
public struct UnknownKeyError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The key as it was written.
    public let key: String
    /// The entity or type that was asked.
    public let owner: String
    /// The key of the owner that comes nearest, if one is near.
    public let suggestion: String?

    package init(key: String, owner: String, knownKeys: [String]) {
        self.key = key
        self.owner = owner
        self.suggestion = closestName(to: key, in: knownKeys)
    }

    /// The text for messages and logs.
    public var description: String {
        let rule = "\(owner) is not key value coding-compliant for the key \"\(key)\""
        guard let suggestion else { return rule }
        return rule + "; did you mean \"\(suggestion)\"?"
    }

    /// The description, for those who only know of errors.
    public var errorDescription: String? { description }
}
