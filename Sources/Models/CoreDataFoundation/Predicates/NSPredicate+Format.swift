/// Gives `NSPredicate` the initializers that open-source Foundation marks as unavailable.
///
/// Swift prefers an initializer of a protocol extension to an unavailable one of the class; only `NSPredicate`
/// conforms.
public protocol PredicateFormatting {}

extension NSPredicate: PredicateFormatting {}

extension PredicateFormatting where Self: NSPredicate {
    /// A predicate from a format string, with the arguments of its `%@`, `%K` and number tokens.
    ///
    /// Stops the process with the position of the error if the text does not parse; `init(parsing:arguments:)` throws
    /// instead. The text determines whether the result is a comparison, a compound or a constant predicate.
    public init(format: String, _ arguments: Any?...) {
        self = predicate(Self.self, from: format, arguments)
    }

    /// A predicate from a format string whose one argument is a list of optional values.
    ///
    /// Without this initializer a value of type `[Any?]` would be spread over several arguments.
    public init(format: String, _ list: [Any?]) {
        self = predicate(Self.self, from: format, [list])
    }

    /// A predicate from a format string and a list with its arguments; stops the process if the text does not parse.
    public init(format: String, argumentArray: [Any?]?) {
        self = predicate(Self.self, from: format, argumentArray ?? [])
    }

    /// A predicate from a format string that may be invalid.
    ///
    /// - Throws: `PredicateParseError` with the position and what was expected there.
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
