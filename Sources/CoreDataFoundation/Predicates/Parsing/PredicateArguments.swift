/// The arguments of a format string, handed out in order.
struct PredicateArguments {
    private let values: [Any?]
    private var used = 0

    init(_ values: [Any?]) {
        self.values = values
    }

    /// The next argument; nil where there is none left, a nil inside where the argument is nil.
    mutating func next() -> Any?? {
        guard used < values.count else { return nil }
        used += 1
        return .some(flattened(values[used - 1]))
    }
}
