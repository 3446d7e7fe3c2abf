import Synchronization

/// What few objects have beside what all of them have, by the object's identity.
///
/// An object takes its value out in its `deinit`, before its memory, and so its identity, can become another's. Safe from any
/// thread as far as the values are.
final class SideTable<Value: Sendable>: Sendable {
    private final class Shard: Sendable {
        let values = Mutex<[ObjectIdentifier: Value]>([:])
    }

    private let shards = (0..<16).map { _ in Shard() }

    private func shard(_ identity: ObjectIdentifier) -> Shard { shards[Int(UInt(bitPattern: identity) >> 5 & 15)] }

    /// The value of an object.
    subscript(object: AnyObject) -> Value? {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { $0[identity] }
    }

    /// The value of an object, which is `other` from now on if it had none.
    func value(of object: AnyObject, or other: Value) -> Value {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { values in
            if let known = values[identity] { return known }
            values[identity] = other
            return other
        }
    }

    /// Reads or changes the value of an object, and what else is used only under the lock of the object's values.
    ///
    /// No value may be released meanwhile: see `remove(_:)`.
    func withValue<Result>(of object: AnyObject, _ body: (inout Value?) -> Result) -> Result {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { values in
            Transferred(body(&values[identity]))
        }.value
    }

    /// Reads or changes what is used only under the lock of an object's value; `body` is given the values under that lock.
    ///
    /// No value may be released meanwhile: see `remove(_:)`.
    func withLock<Result>(of object: AnyObject, _ body: (inout [ObjectIdentifier: Value]) -> Result) -> Result {
        shard(ObjectIdentifier(object)).values.withLock { Transferred(body(&$0)) }.value
    }

    /// Takes out the value of an object and returns it: it is released outside the lock, since it may end other objects,
    /// which come here too.
    @discardableResult
    func remove(_ object: AnyObject) -> Value? {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { $0.removeValue(forKey: identity) }
    }

    /// Takes out the values of all objects.
    func removeAll() {
        for shard in shards {
            let former = shard.values.withLock { values in
                let former = values
                values = [:]
                return former
            }
            withExtendedLifetime(former) {}
        }
    }
}
