extension Array {
    /// The elements for which a predicate holds, in their order; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        guard predicate.isPrepared, let readers = Element.self as? any SlotReading.Type else {
            return filter { predicate.evaluate(with: $0) }
        }
        return orStop { try filtered(by: predicate, as: readers) }
    }

    /// The same for elements of a class that has slots.
    private func filtered<Reader: SlotReading>(by predicate: NSPredicate, as type: Reader.Type) throws -> [Element] {
        // `Reader` is `Element`, by the caller's cast, so nothing is looked at.
        guard let readers = self as Any as? [Reader] else { return [] }
        var prepared = PreparedPredicate(predicate, badPatterns: .reported)
        var found: [Reader] = []
        for reader in readers where try prepared.holds(for: reader) { found.append(reader) }
        return found as Any as? [Element] ?? []
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
    /// Elements that compare equal under all descriptors keep their order. Stops the process for an unknown key.
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

extension NSPredicate {
    /// Whether asking the parts of the predicate is asking the predicate: a user's class may answer in its own way.
    fileprivate var isPrepared: Bool { self is NSCompoundPredicate || type(of: self) == NSComparisonPredicate.self }
}
