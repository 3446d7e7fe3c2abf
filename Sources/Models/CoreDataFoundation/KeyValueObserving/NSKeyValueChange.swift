/// How a value changed.
public enum NSKeyValueChange: UInt, Sendable {
    /// It was set.
    case setting = 1
    /// Elements were added to a collection.
    case insertion = 2
    /// Elements were removed from a collection.
    case removal = 3
    /// Elements of a collection were replaced by others.
    case replacement = 4
}

/// How a change of a set combines the set with other objects.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// The objects are added.
    case union = 1
    /// The objects are removed.
    case minus = 2
    /// All members that are not among the objects are removed.
    case intersect = 3
    /// The objects replace all members.
    case set = 4
}

/// A key of the change dictionary that `observeValue(forKeyPath:of:change:context:)` receives.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A key of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The raw value of an `NSKeyValueChange`, a `UInt`.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, or the elements added; missing for nil, where Apple's has `NSNull`.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The former value, or the removed elements; missing for nil, where Apple's has `NSNull`.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// The places of the elements in an ordered collection, an `IndexSet`.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// True in a call before the change, missing in others.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}
