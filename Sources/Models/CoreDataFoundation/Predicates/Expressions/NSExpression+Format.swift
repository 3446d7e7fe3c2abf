extension NSExpression {
    /// An expression from a format string, with the arguments of its `%@` and `%K`.
    ///
    /// Stops the process with the position of the error if the text does not parse; `init(parsing:arguments:)` throws
    /// instead.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(format: format, argumentArray: arguments)
    }

    /// An expression from a format string whose one argument is a list of optional values.
    public convenience init(format: String, _ list: [Any?]) {
        self.init(format: format, argumentArray: [list])
    }

    /// An expression from a format string; stops the process if the text does not parse.
    public convenience init(format: String, argumentArray: [Any?]?) {
        self.init(orStop { try PredicateParser.expression(from: format, arguments: argumentArray ?? []).form })
    }

    /// An expression from a format string that may be invalid.
    ///
    /// - Throws: `PredicateParseError` with the position and what was expected there.
    public convenience init(parsing format: String, arguments: [Any?] = []) throws {
        self.init(try PredicateParser.expression(from: format, arguments: arguments).form)
    }
}
