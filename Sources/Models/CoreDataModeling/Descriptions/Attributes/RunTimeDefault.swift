import CoreDataFoundation

/// A default value that is computed for each new object rather than stored in the model.
///
/// Model files cannot contain it, so it is in the attribute's user info, where it does not change version hashes and
/// other readers ignore it.
package enum RunTimeDefault: String, Sendable {
    /// The time of the insertion, for date attributes.
    case now = "now()"
    /// A new UUID, for UUID attributes.
    case uuid = "UUID()"

    /// The key in the user info of the attribute.
    package static let key = "defaultValueExpression"

    /// Computes the value for a new object.
    package func makeValue() -> Any {
        switch self {
        case .now: Date()
        case .uuid: UUID()
        }
    }
}

extension NSAttributeDescription {
    /// The computed default in the user info; nil if there is none or if it does not fit the attribute's type.
    package var runTimeDefault: RunTimeDefault? {
        guard let text = userInfo?[RunTimeDefault.key] as? String else { return nil }
        return switch (RunTimeDefault(rawValue: text), attributeType) {
        case (.now, .dateAttributeType): .now
        case (.uuid, .UUIDAttributeType): .uuid
        default: nil
        }
    }
}
