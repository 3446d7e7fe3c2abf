import Synchronization

/// Weak references to objects in the order in which they were added.
///
/// May be used from any thread.
final class WeakList<Member: AnyObject>: @unchecked Sendable {
    // A weak reference may be read on any thread; the reader must use the member only as the member's own rules allow.
    private let references = Mutex<[WeakReference<Member>]>([])

    /// The objects that have not been deallocated.
    var members: [Member] { references.withLock { Transferred($0.compactMap(\.object)) }.value }

    /// Whether all objects have been deallocated.
    var isEmpty: Bool { references.withLock { $0.allSatisfy { $0.object == nil } } }

    /// Appends an object, unless it is in the list.
    func add(_ member: Member) {
        let member = Transferred(member)
        references.withLock { references in
            guard !references.contains(where: { $0.object === member.value }) else { return }
            references.removeAll { $0.object == nil }
            references.append(WeakReference(member.value))
        }
    }

    /// Removes an object, if it is in the list.
    func remove(_ member: Member) {
        let member = Transferred(member)
        references.withLock { $0.removeAll { $0.object == nil || $0.object === member.value } }
    }
}
