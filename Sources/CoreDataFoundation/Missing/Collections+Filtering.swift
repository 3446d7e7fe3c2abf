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

extension Sequence {
    /// The elements in the order of several sort descriptors, the first of which decides first.
    ///
    /// Elements that no descriptor tells apart keep their order. Stops the process for an unknown key.
    public func sorted(using descriptors: [NSSortDescriptor]) -> [Element] {
        sorted { left, right in
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }

    /// The elements in the order of one sort descriptor.
    public func sorted(using descriptor: NSSortDescriptor) -> [Element] {
        sorted(using: [descriptor])
    }
}
