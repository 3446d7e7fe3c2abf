/// The arguments of a format string, returned in order.
struct PredicateArguments {
    private let values: [Any?]
    private let areHeldBack: Bool
    private var used = 0
    /// The placeholders that were returned in place of arguments.
    private(set) var placeholders: [FormatPlaceholder] = []
    /// The positions of the keys among the arguments, if placeholders are returned for the others.
    private(set) var keyPlaces: [Int] = []

    init(_ values: [Any?]) {
        self.values = values
        areHeldBack = false
    }

    /// Makes a list that returns placeholders for all arguments but keys, since keys decide what is parsed.
    init(holdingBack values: [Any?]) {
        self.values = values
        areHeldBack = true
    }

    /// The number of the argument that was returned last, from 1.
    var number: Int { used }

    /// A warning about arguments that no token used, which is not an error: Apple's framework ignores them.
    var warning: String? {
        guard used < values.count else { return nil }
        return "Predicate format: \(values.count) arguments for \(used) tokens; the others are not used"
    }

    /// The next argument; nil if none is left, a nested nil if the argument is nil.
    mutating func next(_ kind: FormatPlaceholder.Kind) -> Any?? {
        guard used < values.count else { return nil }
        used += 1
        guard areHeldBack else { return .some(FormatValue.constant(of: flattened(values[used - 1]))) }
        guard kind != .key else {
            keyPlaces.append(used - 1)
            return .some(FormatValue.constant(of: flattened(values[used - 1])))
        }
        let placeholder = FormatPlaceholder(place: used - 1, kind: kind)
        placeholders.append(placeholder)
        return .some(placeholder)
    }
}
