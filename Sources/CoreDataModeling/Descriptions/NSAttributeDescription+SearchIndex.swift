import CoreDataFoundation

/// In the user info of a text attribute: YES has SQLite stores keep an index of its words and parts in a file beside them.
///
/// Not one of Apple's, whose framework leaves it and the file alone. `CONTAINS`, `BEGINSWITH`, `ENDSWITH` and `LIKE` become
/// faster by it and answer as without.
public let CoreDataSearchIndexUserInfoKey = "CoreDataSearchIndex"

extension NSAttributeDescription {
    /// Whether the attribute is marked to have its texts indexed for searches.
    package final var isMarkedForSearch: Bool {
        switch userInfo?[CoreDataSearchIndexUserInfoKey] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// Whether the mark can be heeded: the attribute is a text that is stored.
    package final var canBeSearchIndexed: Bool {
        attributeType == .stringAttributeType && !isTransient && !allowsExternalBinaryDataStorage
    }
}
