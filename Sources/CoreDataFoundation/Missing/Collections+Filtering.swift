extension Array {
    /// The elements for which a predicate holds, in their order; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    /// The elements for which a predicate holds; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}
