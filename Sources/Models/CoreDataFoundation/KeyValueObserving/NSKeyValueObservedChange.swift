/// A change as the handler of `observe(_:options:changeHandler:)` receives it.
public struct NSKeyValueObservedChange<Value> {
    /// A change of this kind.
    public typealias Kind = NSKeyValueChange

    /// How the value changed.
    public let kind: Kind
    /// The new value, if the options request it; `.some(nil)` for a value of an optional type that is nil.
    public let newValue: Value?
    /// The former value, if the options request it; `.some(nil)` for a value of an optional type that is nil.
    public let oldValue: Value?
    /// The places of the elements that changed in an ordered collection.
    public let indexes: IndexSet?
    /// Whether the change is yet to come.
    public let isPrior: Bool

    init(_ change: RecordedChange) {
        kind = change.kind
        newValue = change.new.flatMap { $0.value as? Value }
        oldValue = change.old.flatMap { $0.value as? Value }
        indexes = change.indexes
        isPrior = change.isPrior
    }
}
