import CoreDataFoundation

/// A default value that is computed for each new object rather than stored in the model.
///
/// Model files cannot express it, so it is in the attribute's user info, where it does not change hashes and other
/// readers ignore it.
package enum RunTimeDefault: String, Sendable {
    /// The time of the insertion, for dates.
    case now = "now()"
    /// A fresh identifier, for UUIDs.
    case uuid = "UUID()"

    /// The key in the user info of the attribute.
    package static let key = "defaultValueExpression"

    /// A value for one new object.
    package func makeValue() -> Any {
        switch self {
        case .now: Date()
        case .uuid: UUID()
        }
    }
}

extension NSAttributeDescription {
    /// The default that the user info marks to be computed at insertion; nil where it does not go with the type.
    package var runTimeDefault: RunTimeDefault? {
        guard let text = userInfo?[RunTimeDefault.key] as? String else { return nil }
        return switch (RunTimeDefault(rawValue: text), attributeType) {
        case (.now, .dateAttributeType): .now
        case (.uuid, .UUIDAttributeType): .uuid
        default: nil
        }
    }
}
