extension KeySorting where Self: NSSortDescriptor {
    /// Sorts as a typed Swift descriptor does.
    ///
    /// The key comes from the type's `KeyPathNaming`, so that a store can sort by the descriptor. If the key path has
    /// no name, or the typed descriptor no key path, the result compares entire objects by a closure. Open-source
    /// Foundation's descriptors lack localized comparators, so the comparison by a key is always `compare:`.
    public init<Compared>(_ descriptor: SortDescriptor<Compared>) {
        let ascending = descriptor.order == .forward
        guard let keyPath = descriptor.keyPath, let key = namedKey(of: keyPath) else {
            self = keyed(
                Self.self,
                KeySortDescriptor(key: nil, ascending: ascending, comparison: .block(descriptor.ascendingComparator)))
            return
        }
        self = keyed(
            Self.self, KeySortDescriptor(key: key, ascending: ascending, comparison: .standard))
    }
}

extension SortDescriptor {
    fileprivate var ascendingComparator: Comparator {
        var forward = self
        forward.order = .forward
        return { [forward] left, right in
            guard let left = left as? Compared, let right = right as? Compared else {
                stop("a sort descriptor for \(Compared.self) was handed \(type(of: left)) and \(type(of: right))")
            }
            return forward.compare(left, right)
        }
    }
}
