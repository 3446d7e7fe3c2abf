/// Gives `NSPredicate` the initializers that open-source Foundation marks as unavailable.
///
/// An initializer of a protocol extension wins over an unavailable one of the class; nothing else conforms.
public protocol PredicateFormatting {}

extension NSPredicate: PredicateFormatting {}

extension PredicateFormatting where Self: NSPredicate {
    /// A predicate from a format string, with the arguments of its `%@`, `%K` and number tokens.
    ///
    /// Stops the process with the place of the error if the text does not parse; `init(parsing:arguments:)` throws it.
    /// The result is a comparison, a compound or a constant predicate, as the text says.
    public init(format: String, _ arguments: Any?...) {
        self = predicate(Self.self, from: format, arguments)
    }

    /// A predicate from a format string whose one argument is a list of optional values.
    ///
    /// Without it a value of type `[Any?]` would be spread over several arguments.
    public init(format: String, _ list: [Any?]) {
        self = predicate(Self.self, from: format, [list])
    }

    /// A predicate from a format string and a list with its arguments; stops the process if the text does not parse.
    public init(format: String, argumentArray: [Any?]?) {
        self = predicate(Self.self, from: format, argumentArray ?? [])
    }

    /// A predicate from a format string that may be wrong.
    ///
    /// - Throws: `PredicateParseError` with the place and what was expected there.
    public init(parsing format: String, arguments: [Any?] = []) throws {
        let parsed = try FormatCache.shared.predicate(from: format, arguments: arguments)
        guard let result = parsed as? Self else { throw wrongKind(Self.self, format) }
        self = result
    }
}

private func predicate<Kind: NSPredicate>(_ kind: Kind.Type, from format: String, _ arguments: [Any?]) -> Kind {
    orStop {
        let parsed = try FormatCache.shared.predicate(from: format, arguments: arguments)
        guard let result = parsed as? Kind else { throw wrongKind(kind, format) }
        return result
    }
}

private func wrongKind(_ kind: NSPredicate.Type, _ format: String) -> PredicateParseError {
    PredicateParseError(text: format, position: 0, found: "another kind of predicate", expected: "a text for \(kind)")
}
