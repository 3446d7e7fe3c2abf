/// An object that notifies observers when its properties change.
///
/// A conforming class stores `keyObservers`, which stays nil until an object is observed, and calls
/// `willChangeValue(forKey:)` before and `didChangeValue(forKey:)` after each change of a property. Everything happens
/// on the queue that owns the object.
public protocol KeyValueObserving: KeyValueCoding, KeyPathNaming, AnyObject {
    /// The observers of the object; nil without observers. Maintained by the library, only stored by the object.
    var keyObservers: KeyObserverRegistry? { get set }

    /// The keys and key paths on which the value of a key depends: observers of the key are notified of their changes
    /// too.
    ///
    /// Override it for computed properties. Methods named `keyPathsForValuesAffecting<Key>`, which Apple's framework
    /// calls, are not called.
    static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

    /// Whether `changeValue(forKey:_:)` notifies observers; false where a class does that on its own.
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool

    /// Notifies observers that a property is about to change.
    func willChangeValue(forKey key: String)

    /// Notifies observers that a property has changed; ends the last call of `willChangeValue(forKey:)` for the key.
    func didChangeValue(forKey key: String)

    /// Performs work on the queue that owns the object, from any thread; nil if the object does not have a queue.
    var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? { get }
}

/// An object of which a method is called when a value that it observes changes, where a closure is not suitable.
public protocol KeyValueObserver: AnyObject {
    /// Called after a change, or before one, of a value observed with `addObserver(_:forKeyPath:options:context:)`.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}

extension KeyValueObserving {
    /// No key depends on others unless the class says so.
    public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// All keys notify unless the class says otherwise.
    public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    /// No key path has a name unless the class gives it one.
    public static func key(of keyPath: AnyKeyPath) -> String? { nil }

    /// No queue is known unless the class names one.
    public var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? { nil }
}
