extension NSPredicate {
    /// The text of any predicate, which parses to an equal one.
    ///
    /// Prefer it to `predicateFormat`, which Foundation deprecates and answers wrongly for compounds made by hand.
    /// Blocks print as `BLOCKPREDICATE` and objects in angle brackets; neither parses again.
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
