/// How a property changes, as the code that changes it describes it.
package enum KeyMutation {
    case setting
    case set(NSKeyValueSetMutationKind, Set<AnyHashable>)
    case indexed(NSKeyValueChange, IndexSet)
    /// Exactly these elements are inserted or removed, in the form in which observers receive them; with their indexes
    /// if the collection is ordered.
    case exactly(NSKeyValueChange, Any, IndexSet?)

    var kind: NSKeyValueChange {
        switch self {
        case .setting: .setting
        case .set(.union, _): .insertion
        case .set(.minus, _), .set(.intersect, _): .removal
        case .set(.set, _): .replacement
        case .indexed(let kind, _), .exactly(let kind, _, _): kind
        }
    }

    /// Returns the change as far as the value before it shows; `complete` adds the new value of a setting or indexed
    /// change.
    func change(of value: @autoclosure () -> Any?, options: NSKeyValueObservingOptions) -> RecordedChange {
        var change = RecordedChange(kind: kind)
        switch self {
        case .setting:
            if options.contains(.old) { change.old = .init(value: value()) }
        case .set(let mutation, let objects):
            guard !options.isDisjoint(with: [.old, .new]) else { break }
            let present = Set((elements(of: value()) ?? []).compactMap { $0 as? AnyHashable })
            let (removed, added) = mutation.difference(of: present, by: objects)
            if options.contains(.old), kind != .insertion { change.old = .init(value: removed) }
            if options.contains(.new), kind != .removal { change.new = .init(value: added) }
        case .indexed(let kind, let indexes):
            change.indexes = indexes
            if options.contains(.old), kind != .insertion { change.old = .init(value: pick(indexes, of: value())) }
        case .exactly(let kind, let elements, let indexes):
            change.indexes = indexes
            if options.contains(.old), kind != .insertion { change.old = .init(value: elements) }
            if options.contains(.new), kind != .removal { change.new = .init(value: elements) }
        }
        return change
    }

    /// Adds the new value, which is known only after the change, if the options request it.
    func complete(_ change: inout RecordedChange, value: @autoclosure () -> Any?, options: NSKeyValueObservingOptions) {
        guard options.contains(.new) else { return }
        switch self {
        case .setting: change.new = .init(value: value())
        case .set, .exactly: break
        case .indexed(let kind, let indexes):
            if kind != .removal { change.new = .init(value: pick(indexes, of: value())) }
        }
    }

    /// The elements at some places; places that the list does not have are left out.
    private func pick(_ indexes: IndexSet, of value: Any?) -> [Any] {
        let list = elements(of: value) ?? []
        return indexes.intersection(IndexSet(integersIn: 0..<list.count)).compactMap { list[$0] }
    }
}

extension NSKeyValueSetMutationKind {
    fileprivate func difference(
        of present: Set<AnyHashable>, by objects: Set<AnyHashable>
    ) -> (removed: Set<AnyHashable>, added: Set<AnyHashable>) {
        switch self {
        case .union: ([], objects.subtracting(present))
        case .minus: (present.intersection(objects), [])
        case .intersect: (present.subtracting(objects), [])
        case .set: (present.subtracting(objects), objects.subtracting(present))
        }
    }
}
