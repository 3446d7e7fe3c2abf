/// Gives `NSSortDescriptor` the members by key that open-source Foundation marks as unavailable.
public protocol KeySorting {}

extension NSSortDescriptor: KeySorting {}

extension KeySorting where Self: NSSortDescriptor {
    /// Sorts by the value of a key or key path; nil comes first when ascending.
    public init(key: String?, ascending: Bool) {
        self = keyed(Self.self, KeySortDescriptor(key: key, ascending: ascending, comparison: .standard))
    }

    /// Sorts by a key with a comparison named as Apple's selectors are, such as `"localizedStandardCompare:"`.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        let comparison = selector.map { SortComparison(name: $0.name) } ?? .standard
        self = keyed(Self.self, KeySortDescriptor(key: key, ascending: ascending, comparison: comparison))
    }

    /// Sorts by a key with a closure that compares the two values; a store cannot run it.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = keyed(Self.self, KeySortDescriptor(key: key, ascending: ascending, comparison: .block(comparator)))
    }

    /// Sorts by a Swift key path to an optional value; nil comes first when ascending.
    public init<Root, Value: Comparable>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
        self = keyed(Self.self, KeyPathSortDescriptor(path: keyPath, ascending: ascending))
    }

    /// The key or key path of a descriptor; nil for a rank and for a Swift key path.
    public var key: String? { sorting.key }

    /// The name of the comparison; nil for a comparator in Swift.
    public var selector: Selector? { sorting.comparison.name.map { Selector($0) } }
}

func keyed<Kind: NSSortDescriptor>(_ kind: Kind.Type, _ descriptor: NSSortDescriptor) -> Kind {
    guard let result = descriptor as? Kind else { stop("\(kind) cannot be made with a key") }
    return result
}
