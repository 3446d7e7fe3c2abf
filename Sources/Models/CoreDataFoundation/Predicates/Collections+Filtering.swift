extension Array {
    /// The elements for which a predicate holds, in their order; stops the process for an unknown key.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        guard predicate.isPrepared, let readers = Element.self as? any SlotReading.Type else {
            return filter { predicate.evaluate(with: $0) }
        }
        return orStop { try filtered(by: predicate, as: readers) }
    }

    /// Filters elements of a class with slots, whose values the prepared predicate reads by slot.
    private func filtered<Reader: SlotReading>(by predicate: NSPredicate, as type: Reader.Type) throws -> [Element] {
        // `Reader` is `Element`, as the caller has tested, so the cast does not check each element.
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
    /// Whether a prepared predicate may evaluate the predicate's parts: not for a subclass, which may override
    /// `evaluate`.
    fileprivate var isPrepared: Bool { self is NSCompoundPredicate || type(of: self) == NSComparisonPredicate.self }
}
