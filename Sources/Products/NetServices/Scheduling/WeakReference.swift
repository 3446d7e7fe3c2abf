/// Refers to an object that is not `Sendable` and takes calls from several threads all the same, without keeping it alive.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
