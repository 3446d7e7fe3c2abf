import CoreData
import Foundation

/// A condition of a query.
public class MPMediaPredicate: @unchecked Sendable {
    // What subclasses hold does not change.
    fileprivate init() {}

    /// The condition of rows of items.
    ///
    /// - Throws: ``MediaLibraryError`` if there is no such property.
    func condition() throws -> NSPredicate { NSPredicate(value: true) }
    /// Whether it is a condition of playlists.
    var isOfPlaylists: Bool { false }
}

/// How a property is compared.
public enum MPMediaPredicateComparison: Int, Sendable {
    /// The same value, but for case; of media types: one of the bits.
    case equalTo
    /// The text has the value in it, but for case.
    case contains
    /// Less than the value; Apple's framework has no such comparison.
    case lessThan
    /// At most the value; Apple's framework has no such comparison.
    case lessThanOrEqualTo
    /// Greater than the value; Apple's framework has no such comparison.
    case greaterThan
    /// At least the value; Apple's framework has no such comparison.
    case greaterThanOrEqualTo
}

/// A condition of one property: "happy birthday" finds "HAPPY BIRTHDAY".
public final class MPMediaPropertyPredicate: MPMediaPredicate, @unchecked Sendable {
    /// The key of the property.
    public let property: String
    /// What it is compared with: a text, a number or a date; nil for items without the property.
    public let value: Any?
    /// How it is compared.
    public let comparisonType: MPMediaPredicateComparison

    /// A condition.
    ///
    /// - Parameters:
    ///   - value: A text, a number or a date; nil for items without the property.
    ///   - property: A key such as ``MPMediaItemPropertyTitle``.
    ///   - comparisonType: How it is compared.
    public init(value: Any?, forProperty property: String, comparisonType: MPMediaPredicateComparison = .equalTo) {
        (self.property, self.value, self.comparisonType) = (property, value, comparisonType)
        super.init()
    }

    override var isOfPlaylists: Bool {
        property == MPMediaPlaylistPropertyName || property == MPMediaPlaylistPropertyPersistentID
    }

    override func condition() throws -> NSPredicate {
        let key = property == MPMediaPlaylistPropertyPersistentID ? "persistentID" : property
        guard isOfPlaylists || MPMediaItem.canFilter(byProperty: property) else {
            throw MediaLibraryError(
                .itemUnavailable, "Queries cannot ask for the property '\(property)'",
                hint: "use a key for which MPMediaItem.canFilter(byProperty:) is true")
        }
        guard let value = Self.comparable(value) else { return NSPredicate(format: "%K == nil", key) }
        switch (comparisonType, value) {
        case (.equalTo, let mask as NSNumber) where key == MPMediaItemPropertyMediaType:
            return NSPredicate(format: "(mediaType & \(mask.int64Value)) != 0")
        case (.equalTo, let text as String): return NSPredicate(format: "%K ==[c] %@", key, text)
        case (.contains, _): return NSPredicate(format: "%K CONTAINS[c] %@", key, "\(value)")
        case (.equalTo, let value): return NSPredicate(format: "%K == %@", argumentArray: [key, value])
        case (.lessThan, let value): return NSPredicate(format: "%K < %@", argumentArray: [key, value])
        case (.lessThanOrEqualTo, let value): return NSPredicate(format: "%K <= %@", argumentArray: [key, value])
        case (.greaterThan, let value): return NSPredicate(format: "%K > %@", argumentArray: [key, value])
        case (.greaterThanOrEqualTo, let value): return NSPredicate(format: "%K >= %@", argumentArray: [key, value])
        }
    }

    /// Identifiers and masks as the store has them.
    private static func comparable(_ value: Any?) -> Any? {
        switch value {
        case let id as UInt64: NSNumber(value: Int64(bitPattern: id))
        case let mask as UInt: NSNumber(value: Int64(truncatingIfNeeded: mask))
        case let type as MPMediaType: NSNumber(value: Int64(truncatingIfNeeded: type.rawValue))
        case let number as Int: NSNumber(value: number)
        case let number as Double: NSNumber(value: number)
        case let flag as Bool: NSNumber(value: flag)
        default: value
        }
    }
}

/// Any condition, which Apple's framework has not: "playCount > 3 AND title == albumTitle".
public final class MPMediaFormatPredicate: MPMediaPredicate, @unchecked Sendable {
    private let predicate: NSPredicate

    /// A condition of the attributes of items.
    public init(_ predicate: NSPredicate) {
        self.predicate = predicate
        super.init()
    }

    override func condition() -> NSPredicate { predicate }
}
