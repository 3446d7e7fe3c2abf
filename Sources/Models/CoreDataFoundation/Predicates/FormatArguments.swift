/// The arguments of a format string in one value, made by `getVaList` or `withVaList`.
///
/// It takes the place of Apple's `CVaListPointer`, from which objects cannot be read back on this platform.
public struct FormatArguments {
    let values: [Any?]
}

/// The arguments of a format string as one value, for `NSPredicate(format:arguments:)`.
public func getVaList(_ arguments: [Any?]) -> FormatArguments {
    FormatArguments(values: arguments)
}

/// Calls a closure with the arguments of a format string as one value.
///
/// - Throws: what the closure throws.
public func withVaList<Result>(
    _ arguments: [Any?], _ body: (FormatArguments) throws -> Result
) rethrows -> Result {
    try body(FormatArguments(values: arguments))
}

extension PredicateFormatting where Self: NSPredicate {
    /// A predicate from a format string and its arguments in one value; stops the process if the text does not parse.
    public init(format: String, arguments: FormatArguments) {
        self.init(format: format, argumentArray: arguments.values)
    }
}

extension NSExpression {
    /// An expression from a format string and its arguments in one value; stops the process if the text does not parse.
    public convenience init(format: String, arguments: FormatArguments) {
        self.init(format: format, argumentArray: arguments.values)
    }
}
