extension Array {
    /// The elements for which a predicate holds, in their order; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        var filter = PredicateFilter(predicate)
        return self.filter { filter.holds($0) }
    }
}

extension Set {
    /// The elements for which a predicate holds; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        var filter = PredicateFilter(predicate)
        return self.filter { filter.holds($0) }
    }
}

/// Asks one predicate of many elements.
private struct PredicateFilter {
    private let predicate: NSPredicate
    /// Nil for a class that could answer in its own way.
    private var prepared: PreparedPredicate?

    init(_ predicate: NSPredicate) {
        self.predicate = predicate
        let isOurs = predicate is CompoundPredicate || type(of: predicate) == NSComparisonPredicate.self
        prepared = isOurs ? PreparedPredicate(predicate) : nil
    }

    mutating func holds(_ element: some Any) -> Bool {
        orStop { try prepared?.holds(forAny: element) } ?? predicate.evaluate(with: element)
    }
}
