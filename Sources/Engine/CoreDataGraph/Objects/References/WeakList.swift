import Synchronization

/// Weak references to objects in the order in which they were added.
///
/// May be used from any thread.
final class WeakList<Member: AnyObject>: @unchecked Sendable {
    // A weak reference may be read on any thread; what is done with the member is up to who reads it.
    private let references = Mutex<[WeakReference<Member>]>([])

    /// Those that live.
    var members: [Member] { references.withLock { Transferred($0.compactMap(\.object)) }.value }

    /// Whether none lives.
    var isEmpty: Bool { references.withLock { $0.allSatisfy { $0.object == nil } } }

    /// Adds an object at the end, unless it is there.
    func add(_ member: Member) {
        let member = Transferred(member)
        references.withLock { references in
            guard !references.contains(where: { $0.object === member.value }) else { return }
            references.removeAll { $0.object == nil }
            references.append(WeakReference(member.value))
        }
    }

    /// Takes an object out, if it is there.
    func remove(_ member: Member) {
        let member = Transferred(member)
        references.withLock { $0.removeAll { $0.object == nil || $0.object === member.value } }
    }
}
