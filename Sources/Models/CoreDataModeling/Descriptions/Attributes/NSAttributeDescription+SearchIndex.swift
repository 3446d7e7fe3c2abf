import CoreDataFoundation

/// In the user info of a text attribute: YES has SQLite stores keep an index of its words and parts in a file beside them.
///
/// Not one of Apple's, whose framework leaves it and the file alone. `CONTAINS`, `BEGINSWITH`, `ENDSWITH` and `LIKE` become
/// faster by it and answer as without.
public let CoreDataSearchIndexUserInfoKey = "CoreDataSearchIndex"

/// In the user info of a number attribute: the name of another one of its entity, with which it makes a pair of coordinates.
///
/// Not one of Apple's. SQLite stores keep an R-tree of the pairs in a file beside them. Comparisons that bound both attributes
/// become faster by it and answer as without.
public let CoreDataSearchPairUserInfoKey = "CoreDataSearchPair"

/// What a mark for searches in a user info says.
enum SearchMark {
    /// Whether a mark is on; nil for what is neither.
    static func flag(_ value: Any?) -> Bool? {
        switch value {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String:
            ["yes", "true", "1"].contains(text.lowercased())
                ? true : ["no", "false", "0", ""].contains(text.lowercased()) ? false : nil
        default: nil
        }
    }
}

extension NSAttributeDescription {
    /// Whether the attribute is marked to have its texts indexed for searches.
    package final var isMarkedForSearch: Bool { SearchMark.flag(userInfo?[CoreDataSearchIndexUserInfoKey]) ?? false }

    /// Whether the mark can be heeded: the attribute is a text that is stored.
    package final var canBeSearchIndexed: Bool {
        attributeType == .stringAttributeType && !isTransient && !allowsExternalBinaryDataStorage
    }

    /// The name of the attribute with which this one makes a pair of coordinates, by its mark.
    package final var markedPartner: String? { userInfo?[CoreDataSearchPairUserInfoKey] as? String }

    /// Whether the attribute can be one of a pair of coordinates: it is a number that is stored, and no decimal.
    package final var canBeCoordinate: Bool {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .dateAttributeType:
            !isTransient
        default: false
        }
    }
}
