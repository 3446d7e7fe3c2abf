import CoreDataStore
import Synchronization

/// The children of a context, and what each is still to learn of identifiers that have become permanent.
///
/// Children are referenced weakly. May be used from any thread.
final class ContextFamily: Sendable {
    private let children = WeakList<NSManagedObjectContext>()
    private let unread = Mutex<[NewIdentity]>([])

    /// Whether the context has no children.
    var isEmpty: Bool { children.isEmpty }

    /// The children that live.
    var members: [NSManagedObjectContext] { children.members }

    func add(_ child: NSManagedObjectContext) { children.add(child) }

    /// Notifies every descendant of identifiers that have become permanent; called on the parent's queue.
    ///
    /// Each takes them over before its next query to its parent, or when its queue runs next.
    func tell(_ identities: [NewIdentity]) {
        for child in members {
            child.family.unread.withLock { $0 += identities }
            if child.queue.isCurrent {
                child.takeIdentities()
            } else {
                child.queue.async { [weak child] in child?.takeIdentities() }
            }
            child.family.tell(identities)
        }
    }

    /// What the context has been notified of and not yet taken over.
    func takeUnread() -> [NewIdentity] {
        unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
    }
}

/// An identifier that was temporary and is not any more.
struct NewIdentity: Sendable {
    /// The temporary key, which no other object of the process has had.
    let former: Int64
    let address: RowAddress
}

extension NSManagedObjectContext {
    /// Asks the parent on its queue, while the context's own waits, so that no other block uses either of them.
    func ask<Result>(_ parent: NSManagedObjectContext, _ question: () throws -> Result) throws -> Result {
        let answer = parent.queue.ask {
            takeIdentities()
            return Swift.Result(catching: question)
        }
        return try answer.get()
    }

    /// Takes over the identifiers that a parent has got for objects that the context knows by temporary ones.
    func takeIdentities() {
        for identity in family.takeUnread() {
            knownIdentities[identity.former] = identity.address
            guard let store = identity.address.binding.store else { continue }
            let former = RowAddress(binding: temporaryBinding(identity.address.binding.layout), key: identity.former)
            liveResults.rename(RowKey(former), to: identity.address)
            if let object = registry.object(table: former.binding.table, key: former.key) {
                registry.rekey([object], keys: [identity.address.key], to: store)
            }
        }
    }
}
