/// A key was used that its owner does not have.
public struct UnknownKeyError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The key as it was written.
    public let key: String
    /// The entity or type without the key.
    public let owner: String
    /// The key of the owner that comes nearest, if one is near.
    public var suggestion: String? { near?.names.first }
    /// The keys that come near.
    private let near: NameSuggestion?
    /// Whether the owner's class does not conform to `KeyValueCoding`.
    private let isOpaque: Bool

    /// The error for an object whose class does not conform to `KeyValueCoding`.
    init(key: String, opaque owner: Any) {
        (self.key, self.owner, near) = (key, String(describing: type(of: owner)), nil)
        isOpaque = true
    }

    package init(key: String, owner: String, knownKeys: [String]) {
        self.key = key
        self.owner = owner
        near = NameSuggestion(for: key, in: knownKeys)
        isOpaque = false
    }

    /// The text for messages and logs.
    public var description: String {
        let rule = "\(owner) is not key value coding-compliant for the key \"\(key)\""
        if isOpaque {
            return rule + ": mark its properties '@objc' between '#if canImport(ObjectiveC)' and '#endif' in a target "
                + "with the plugin CoreDataModelPlugin, or have it conform to KeyValueCoding"
        }
        guard let near else { return rule }
        return rule + "; " + near.question { "\"\($0)\"" }
    }

    /// The description as an error.
    public var errorDescription: String? { description }
}
