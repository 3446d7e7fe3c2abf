/// The arguments of a format string, handed out in order.
struct PredicateArguments {
    private let values: [Any?]
    private var used = 0

    init(_ values: [Any?]) {
        self.values = values
    }

    /// The number of the argument that was handed out last, from 1.
    var number: Int { used }

    /// What to tell of arguments that no token took, which is no error: Apple's takes no notice of them.
    var warning: String? {
        guard used < values.count else { return nil }
        return "Predicate format: \(values.count) arguments for \(used) tokens; the others are not used"
    }

    /// The next argument; nil where there is none left, a nil inside where the argument is nil.
    mutating func next() -> Any?? {
        guard used < values.count else { return nil }
        used += 1
        return .some(FormatValue.constant(of: flattened(values[used - 1])))
    }
}
