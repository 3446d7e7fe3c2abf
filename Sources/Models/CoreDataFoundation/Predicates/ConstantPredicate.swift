/// The predicate that parsing makes of `TRUEPREDICATE` and `FALSEPREDICATE`.
///
/// Foundation's own class gives another hash at each call and is equal to any comparison predicate.
package final class ConstantPredicate: NSPredicate {
    /// Whether the predicate is true, for every object.
    package let value: Bool

    package override init(value: Bool) {
        self.value = value
        super.init(value: value)
    }

    /// The text of the predicate, which parses to an equal one.
    package override var predicateFormat: String { formatString }

    package override var description: String { formatString }

    package override func copy(with zone: NSZone? = nil) -> Any { self }

    package override func copy() -> Any { self }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return self === other || PredicateNode(self) == PredicateNode(other)
    }

    package override var hash: Int { formatString.hashValue }
}
