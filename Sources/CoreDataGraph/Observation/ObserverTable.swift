import CoreDataModeling
import Synchronization

/// The observers of all objects that have any: objects without observers carry no place for them.
///
/// Invariant: an object has the flag `.observed` exactly while it has an entry, which its `deinit` takes out before its
/// memory, and so its identity, can become another's.
enum ObserverTable {
    private final class Shard: Sendable {
        // What an entry holds is used only on the queue of its object.
        private let entries = Mutex<[ObjectIdentifier: Transferred<ObjectObservers>]>([:])

        func entry(_ identity: ObjectIdentifier) -> ObjectObservers? {
            entries.withLock { $0[identity]?.value }
        }

        func set(_ entry: ObjectObservers?, _ identity: ObjectIdentifier) {
            let entry = entry.map(Transferred.init)
            // What goes is let go of outside the lock: it may end other objects, which come here too.
            let former = entries.withLock { entries in
                let former = entries[identity]
                entries[identity] = entry
                return former
            }
            withExtendedLifetime(former) {}
        }
    }

    private static let shards = (0..<16).map { _ in Shard() }

    private static func shard(_ identity: ObjectIdentifier) -> Shard {
        shards[Int(UInt(bitPattern: identity) >> 5 & 15)]
    }

    /// The observers of an object; nil where there are none.
    static func entry(of object: NSManagedObject) -> ObjectObservers? {
        guard object.flags.contains(.observed) else { return nil }
        let identity = ObjectIdentifier(object)
        return shard(identity).entry(identity)
    }

    /// The entry of an object, made now if it had none.
    static func madeEntry(of object: NSManagedObject) -> ObjectObservers {
        if let known = entry(of: object) { return known }
        let made = ObjectObservers()
        let identity = ObjectIdentifier(object)
        shard(identity).set(made, identity)
        object.flags.insert(.observed)
        return made
    }

    /// Takes an entry out in which nobody is left.
    static func removeEntry(of object: NSManagedObject) {
        object.flags.remove(.observed)
        let identity = ObjectIdentifier(object)
        shard(identity).set(nil, identity)
    }

    /// Takes out the entry of an object that goes, on any thread.
    ///
    /// Observations that look at other objects end on the queue to which those belong.
    static func forget(_ object: NSManagedObject) {
        guard let entry = entry(of: object) else { return }
        let identity = ObjectIdentifier(object)
        shard(identity).set(nil, identity)
        guard entry.keys?.reachesOthers == true, let context = object.registry?.context, !context.queue.isCurrent
        else { return }
        let parting = Transferred(entry)
        context.queue.async { withExtendedLifetime(parting) {} }
    }
}
