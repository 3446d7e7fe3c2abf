/// The arguments of a format string, handed out in order.
struct PredicateArguments {
    private let values: [Any?]
    private let areHeldBack: Bool
    private var used = 0
    /// What was handed out for arguments that are held back.
    private(set) var placeholders: [FormatPlaceholder] = []
    /// The places of the keys among the arguments, when the others are held back.
    private(set) var keyPlaces: [Int] = []

    init(_ values: [Any?]) {
        self.values = values
        areHeldBack = false
    }

    /// Hands out placeholders for all arguments but keys, which decide what is parsed.
    init(holdingBack values: [Any?]) {
        self.values = values
        areHeldBack = true
    }

    /// The next argument; nil where there is none left, a nil inside where the argument is nil.
    mutating func next(_ kind: FormatPlaceholder.Kind) -> Any?? {
        guard used < values.count else { return nil }
        used += 1
        guard areHeldBack else { return .some(flattened(values[used - 1])) }
        guard kind != .key else {
            keyPlaces.append(used - 1)
            return .some(flattened(values[used - 1]))
        }
        let placeholder = FormatPlaceholder(place: used - 1, kind: kind)
        placeholders.append(placeholder)
        return .some(placeholder)
    }
}
