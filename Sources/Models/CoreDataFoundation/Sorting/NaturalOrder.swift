import Synchronization

/// Remembers which of Foundation's descriptors compare by the values' own order.
///
/// Foundation wraps the comparator of a descriptor with a key path in a closure that cannot be recognised, but a store
/// must know whether it may sort by the key instead. Entries are weak: a deallocated descriptor does not affect a later
/// one at the same address.
enum NaturalOrder {
    private struct Entry: @unchecked Sendable {
        // Sendable because the descriptor is only compared by identity; a weak reference may be read from any thread.
        weak var descriptor: NSSortDescriptor?
    }

    /// Guards the descriptors by their addresses.
    private static let known = Mutex<[ObjectIdentifier: Entry]>([:])

    static func remember(_ descriptor: NSSortDescriptor) {
        let entry = Entry(descriptor: descriptor)
        known.withLock { entries in
            if entries.count.isMultiple(of: 256) { entries = entries.filter { $0.value.descriptor != nil } }
            entries[ObjectIdentifier(descriptor)] = entry
        }
    }

    static func orders(_ descriptor: NSSortDescriptor) -> Bool {
        let entry = known.withLock { $0[ObjectIdentifier(descriptor)] }
        return entry?.descriptor === descriptor
    }
}

extension NSSortDescriptor {
    /// Sorts objects with named properties by a Swift key path, in the values' own order.
    ///
    /// A store can sort by such a descriptor when a property table names the key path.
    public convenience init<Root: KeyValueCoding, Value: Comparable>(
        keyPath: KeyPath<Root, Value>, ascending: Bool
    ) {
        self.init(keyPath: keyPath, ascending: ascending) { left, right in
            guard let left = left as? Value, let right = right as? Value else { return .orderedSame }
            return left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
        }
        NaturalOrder.remember(self)
    }

    /// Sorts objects with named properties by a Swift key path to values of any type, in the order of sorting by the
    /// key: true after false, nil first when ascending.
    ///
    /// For generic code, and for types such as `Bool`, which are not `Comparable`.
    @_disfavoredOverload
    public convenience init<Root: KeyValueCoding, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(keyPath: keyPath, ascending: ascending, comparator: SortComparison.standard.comparator)
        NaturalOrder.remember(self)
    }
}
