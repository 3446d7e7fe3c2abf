extension NSPredicate {
    /// The text of any predicate, which parses to an equal one.
    ///
    /// Prefer it to `predicateFormat`, which Foundation deprecates and which is wrong for Foundation's compound
    /// predicates. Such compounds equal the parsed ones but have Foundation's hashes: parse their text before hashing
    /// them. Blocks print as `BLOCKPREDICATE` and `BLOCK`, objects and dictionaries as their types in angle brackets;
    /// these do not parse, nor does a text beyond the parser's limits: 512 KB, 64 levels, 500 arithmetic operators. A
    /// constant list prints like a list of constants, a set in the order of its elements' texts.
    public var formatString: String {
        var printer = PredicatePrinter()
        printer.print(PredicateNode(self))
        return printer.text
    }
}

extension NSExpression {
    /// The text of the expression, which parses to an equal one.
    package var formatString: String {
        var printer = PredicatePrinter()
        printer.print(self)
        return printer.text
    }
}
