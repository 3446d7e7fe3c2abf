/// How an object refers to a value that is associated with it.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public enum objc_AssociationPolicy: UInt, Sendable {
    /// By a weak reference, nil once the value is deallocated. Numbers and values that are not objects are retained,
    /// since nothing else retains them.
    case OBJC_ASSOCIATION_ASSIGN = 0
    /// By a strong reference.
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// By a strong reference to a copy, which is made at once if the value is `NSCopying`.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    /// By a strong reference.
    case OBJC_ASSOCIATION_RETAIN = 769
    /// By a strong reference to a copy, which is made at once if the value is `NSCopying`.
    case OBJC_ASSOCIATION_COPY = 771
}

/// The values that a program has associated with one object, by their keys, which are addresses.
package struct AssociatedObjects {
    private struct Entry {
        let strong: Any?
        weak var weak: AnyObject?
    }

    private var entries: [UnsafeRawPointer: Entry] = [:]

    fileprivate func value(_ key: UnsafeRawPointer) -> Any? { entries[key].flatMap { $0.strong ?? $0.weak } }

    fileprivate mutating func set(_ value: Any?, key: UnsafeRawPointer, policy: objc_AssociationPolicy) {
        switch policy {
        case .OBJC_ASSOCIATION_ASSIGN:
            // Apple's runtime stores small numbers in the pointer itself, so that they are never deallocated.
            entries[key] = value.map { value in
                type(of: value) is AnyClass && !(value is NSNumber)
                    ? Entry(strong: nil, weak: value as AnyObject) : Entry(strong: value)
            }
        case .OBJC_ASSOCIATION_COPY, .OBJC_ASSOCIATION_COPY_NONATOMIC:
            let copy = value.map { ($0 as? any NSCopying)?.copy(with: nil) ?? $0 }
            entries[key] = copy.map { Entry(strong: $0) }
        case .OBJC_ASSOCIATION_RETAIN, .OBJC_ASSOCIATION_RETAIN_NONATOMIC:
            entries[key] = value.map { Entry(strong: $0) }
        }
    }
}

/// A class of the library whose objects store the values that programs associate with them.
package protocol AssociationHolder: AnyObject {
    /// The associated values; nil if there are none. Accessed only while `associationLock` is locked.
    var associatedObjects: AssociatedObjects? { get set }
}

private let associationLock = NSLock()

/// Reads or changes the values associated with an object; former values are released after the lock is unlocked.
private func withAssociations<Result>(
    of holder: any AssociationHolder, _ body: (inout AssociatedObjects?) -> Result
) -> Result {
    associationLock.lock()
    let former = holder.associatedObjects
    var present = former
    let result = body(&present)
    holder.associatedObjects = present
    associationLock.unlock()
    return withExtendedLifetime(former) { result }
}

/// The value associated with an object under a key; nil if not set, and for an object of a class outside the library.
///
/// For a managed object or a context call it on the context's queue, for other objects on any thread.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    (object as? any AssociationHolder).flatMap { withAssociations(of: $0) { $0?.value(key) } }
}

/// Associates a value with an object of one of the library's classes until the object is deallocated; nil removes it.
///
/// Objects that can store such values are managed objects, contexts, coordinators, containers, stores, requests,
/// controllers, models and descriptions; for any other object the process stops with a message. With a managed object
/// or a context call it on the context's queue, with other objects on any thread. A former value under the key is
/// released.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    guard let holder = object as? any AssociationHolder else {
        stop(
            "objc_setAssociatedObject: an object of class \(type(of: object)) has no place for associated objects without "
                + "Objective-C: keep the value in a stored property or a table.")
    }
    withAssociations(of: holder) { associations in
        var present = associations ?? AssociatedObjects()
        present.set(value, key: key, policy: policy)
        associations = present
    }
}

/// Releases all values associated with an object; does nothing for an object of a class outside the library.
///
/// With a managed object or a context call it on the context's queue, with other objects on any thread.
public func objc_removeAssociatedObjects(_ object: Any) {
    (object as? any AssociationHolder).map { withAssociations(of: $0) { $0 = nil } }
}
