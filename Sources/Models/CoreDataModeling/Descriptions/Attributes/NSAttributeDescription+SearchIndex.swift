import CoreDataFoundation

/// A key in the user info of a text attribute: with YES, SQLite stores keep an index of its words and parts in a file
/// beside them.
///
/// Not in Apple's framework, which ignores the key and the file. `CONTAINS`, `BEGINSWITH`, `ENDSWITH` and `LIKE` become
/// faster and have the same results.
public let CoreDataSearchIndexUserInfoKey = "CoreDataSearchIndex"

/// A key in the user info of a number attribute, for the name of another attribute, with which it is a pair of
/// coordinates.
///
/// Not in Apple's framework. SQLite stores keep an R-tree of the pairs in a file beside them. Comparisons that bound
/// both attributes become faster and have the same results.
public let CoreDataSearchPairUserInfoKey = "CoreDataSearchPair"

/// Reads the value of a search mark in a user info.
enum SearchMark {
    /// Whether a mark is on; nil for a value that means neither yes nor no.
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
    /// Whether the attribute is marked for the search index.
    package final var isMarkedForSearch: Bool { SearchMark.flag(userInfo?[CoreDataSearchIndexUserInfoKey]) ?? false }

    /// Whether the search index can contain the attribute: a text that is stored in the row.
    package final var canBeSearchIndexed: Bool {
        attributeType == .stringAttributeType && !isTransient && !allowsExternalBinaryDataStorage
    }

    /// The name of the attribute with which this one is a pair of coordinates, from the user info.
    package final var markedPartner: String? { userInfo?[CoreDataSearchPairUserInfoKey] as? String }

    /// Whether the attribute can be one of a pair of coordinates: a stored number or date that is not a decimal.
    package final var canBeCoordinate: Bool {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .dateAttributeType:
            !isTransient
        default: false
        }
    }
}
