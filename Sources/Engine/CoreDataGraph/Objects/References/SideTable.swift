import Synchronization

/// Values of the few objects that have one, by the objects' identities.
///
/// An object removes its value in its `deinit`, before its memory, and with it its identity, can be reused. Can be used
/// on any thread, if the values can.
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

    /// Returns the value of an object; if it has none, sets it to `other` and returns that.
    func value(of object: AnyObject, or other: Value) -> Value {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { values in
            if let known = values[identity] { return known }
            values[identity] = other
            return other
        }
    }

    /// Reads or changes the value of an object, and other data that are used only under the lock of the object's value.
    ///
    /// The block must not release a value: see `remove(_:)`.
    func withValue<Result>(of object: AnyObject, _ body: (inout Value?) -> Result) -> Result {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { values in
            Transferred(body(&values[identity]))
        }.value
    }

    /// Reads or changes data that are used only under the lock of an object's value; `body` receives all values under
    /// that lock.
    ///
    /// The block must not release a value: see `remove(_:)`.
    func withLock<Result>(of object: AnyObject, _ body: (inout [ObjectIdentifier: Value]) -> Result) -> Result {
        shard(ObjectIdentifier(object)).values.withLock { Transferred(body(&$0)) }.value
    }

    /// Removes the value of an object and returns it, so that it is released outside the lock: its release may
    /// deallocate other objects, which call this method too.
    @discardableResult
    func remove(_ object: AnyObject) -> Value? {
        let identity = ObjectIdentifier(object)
        return shard(identity).values.withLock { $0.removeValue(forKey: identity) }
    }

    /// Removes the values of all objects.
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
