import CoreDataStore
import Synchronization

/// The child contexts of a context, and the new permanent identifiers that the context has not yet adopted from its
/// parent.
///
/// References children weakly. May be used from any thread.
final class ContextFamily: Sendable {
    private let children = WeakList<NSManagedObjectContext>()
    private let unread = Mutex<[NewIdentity]>([])

    /// Whether the context has no children.
    var isEmpty: Bool { children.isEmpty }

    /// The children that have not been released.
    var members: [NSManagedObjectContext] { children.members }

    func add(_ child: NSManagedObjectContext) { children.add(child) }

    /// Notifies every descendant of identifiers that have become permanent; called on the parent's queue.
    ///
    /// Each descendant adopts them before its next query to its parent, or when its queue runs next.
    func notifyDescendants(of identities: [NewIdentity]) {
        for child in members {
            child.family.unread.withLock { $0 += identities }
            if child.queue.isCurrent {
                child.takeIdentities()
            } else {
                child.queue.async { [weak child] in child?.takeIdentities() }
            }
            child.family.notifyDescendants(of: identities)
        }
    }

    /// Removes and returns the identifiers that the context was notified of and has not adopted.
    func takeUnread() -> [NewIdentity] {
        unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
    }
}

/// An identifier that was temporary and has become permanent.
struct NewIdentity: Sendable {
    /// The temporary key, which no other object of the process has had.
    let former: Int64
    let address: RowAddress
}

extension NSManagedObjectContext {
    /// Runs a question on the parent's queue while the context's own queue waits, so that no other block uses either
    /// context.
    func ask<Result>(_ parent: NSManagedObjectContext, _ question: () throws -> Result) throws -> Result {
        let answer = parent.queue.ask {
            takeIdentities()
            return Swift.Result(catching: question)
        }
        return try answer.get()
    }

    /// Adopts the permanent identifiers that the parent has obtained for objects with temporary ones.
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
