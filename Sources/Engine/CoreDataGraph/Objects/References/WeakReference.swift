/// An object that is not kept alive, as an element of a collection.
struct WeakReference<Object: AnyObject> {
    weak var object: Object?

    init(_ object: Object) { self.object = object }
}
