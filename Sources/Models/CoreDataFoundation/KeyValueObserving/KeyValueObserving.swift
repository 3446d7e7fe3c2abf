/// An object that notifies observers when its properties change.
///
/// A conforming class stores `keyObservers`, which stays nil until it is observed, and puts each change of a property
/// between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`. Everything happens on the queue that owns the object.
/// `KeyPathNaming` gives the dotted names of typed key paths, for `observe(_:options:changeHandler:)`.
public protocol KeyValueObserving: KeyValueCoding, KeyPathNaming, AnyObject {
    /// The observers of the object; nil without observers. Maintained by the library, only stored by the object.
    var keyObservers: KeyObserverRegistry? { get set }

    /// The keys and key paths whose changes change the value of a key too.
    ///
    /// Override it for computed properties: nothing is found by names here, unlike in Apple's, where a method
    /// `keyPathsForValuesAffecting<Key>` does the same.
    static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

    /// Whether `changeValue(forKey:_:)` notifies observers; false where a class does that on its own.
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool

    /// Notifies observers that a property is about to change.
    func willChangeValue(forKey key: String)

    /// Notifies observers that a property has changed; belongs to the last call of `willChangeValue(forKey:)` for the key.
    func didChangeValue(forKey key: String)

    /// Performs work on the queue that owns the object, from any thread; nil where the object knows of no queue.
    var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? { get }
}

/// An object that is notified of changes by name, where a closure is not suitable.
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
