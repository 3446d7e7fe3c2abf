/// Observers that are notified by a method, where Apple's center takes the method's selector.
///
/// `coredata port` writes these beside `addObserver(_:selector:name:object:)`. The observer is not retained: once it is
/// deallocated nothing is called. The method runs on the thread that posts. `removeObserver(_:)` ends it, as it does on
/// Apple's platforms.
extension NotificationCenter {
    /// Calls a method that takes the notification, such as `Stack.didSave(_:)`, for each notification of a name and
    /// object.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, calling method: @escaping (Observer) -> (Notification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        observe(observer, name: name, object: object) { method($0)($1) }
    }

    /// Calls a method without parameters for each notification of a name and object.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, calling method: @escaping (Observer) -> () -> Void, name: Notification.Name?, object: Any?
    ) {
        observe(observer, name: name, object: object) { observer, _ in method(observer)() }
    }

    /// Calls a method that takes the notification as an object for each notification of a name and object.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, calling method: @escaping (Observer) -> (NSNotification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        observe(observer, name: name, object: object) { method($0)($1._bridgeToObjectiveC()) }
    }

    /// Ends all observations by an object's methods, or by a token that `addObserver(forName:object:queue:using:)`
    /// returned.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        removeObserver(observer, name: nil, object: nil)
    }

    /// Ends the observations by an object's methods, or by a token, of a name and an object; nil matches any.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer, name: Notification.Name?, object: Any?) {
        let tokens = MethodObserverTable.shared.remove(
            observer, in: self, name: name, object: object.map { ObjectIdentifier($0 as AnyObject) })
        for token in tokens { removeToken(token, name: nil, object: nil) }
        removeToken(observer, name: name, object: object)
    }

    private func observe<Observer: AnyObject>(
        _ observer: Observer, name: Notification.Name?, object: Any?,
        call: @escaping (Observer, Notification) -> Void
    ) {
        let methodObserver = MethodObserver(observer: observer, call: call)
        let token = addObserver(forName: name, object: object, queue: nil) { methodObserver.notify($0) }
        MethodObserverTable.shared.add(
            MethodObserverTable.Entry(
                observer: observer, center: self, name: name,
                object: object.map { ObjectIdentifier($0 as AnyObject) }, token: token))
    }

    /// Calls Foundation's method, which ends observations by their tokens.
    private func removeToken(_ token: Any, name: Notification.Name?, object: Any?) {
        removeObserver(token, name: name, object: object)
    }
}

/// An observer with its method. Both are used on the thread that posts; as on Apple's platforms, the observer must
/// allow it.
private final class MethodObserver<Observer: AnyObject>: @unchecked Sendable {
    private weak var observer: Observer?
    private let call: (Observer, Notification) -> Void

    init(observer: Observer, call: @escaping (Observer, Notification) -> Void) {
        (self.observer, self.call) = (observer, call)
    }

    func notify(_ notification: Notification) {
        if let observer { call(observer, notification) }
    }
}
