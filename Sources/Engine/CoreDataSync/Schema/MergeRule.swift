/// How values of an attribute are merged that were written without knowledge of each other.
///
/// A value that was written by someone who had seen another replaces that other under every rule but `counter` and `set`, where
/// changes are added up. So an edit made alone is never undone by a rule.
package enum MergeRule: Hashable, Sendable {
    /// The value with the latest time.
    case lastWriter
    /// The value with the earliest time.
    case firstWriter
    /// The greatest value by number, date or scalars.
    case greatest
    /// The least value; null is less than all.
    case least
    /// Changes are differences, all of which are added to the first value.
    case counter
    /// The value is an array without order or doubles; an element added survives a removal that had not seen it.
    case set
    /// A function of the program, by its name; see ``MergeFunctions``.
    case custom(String)

    /// The rule that the user info of an attribute names in `sync.merge`; nil for a text that names none.
    package init?(_ text: String) {
        switch text {
        case "last": self = .lastWriter
        case "first": self = .firstWriter
        case "greatest": self = .greatest
        case "least": self = .least
        case "counter": self = .counter
        case "set": self = .set
        case let text where text.hasPrefix("custom:") && text.utf8.count > 7: self = .custom(String(text.dropFirst(7)))
        default: return nil
        }
    }

    package var name: String {
        switch self {
        case .lastWriter: "last"
        case .firstWriter: "first"
        case .greatest: "greatest"
        case .least: "least"
        case .counter: "counter"
        case .set: "set"
        case .custom(let name): "custom:" + name
        }
    }
}

/// The program's own merge functions by name.
///
/// A function gets the concurrent values, the earliest first, and returns the merged one. It must depend on nothing else; then all
/// peers compute the same from the same values, whatever the order in which they arrived. An unknown name merges as `lastWriter`.
package typealias MergeFunctions = [String: @Sendable ([SyncValue]) -> SyncValue]

/// What a deletion does with an edit that had not seen it.
package enum DeletionRule: String, Sendable {
    /// The object is deleted, the edit is lost and reported.
    case deletionWins = "deletion"
    /// The object comes back with the edit.
    case editRevives = "edit"
}
