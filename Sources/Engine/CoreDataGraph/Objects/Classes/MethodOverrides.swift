import CoreDataStore

/// Methods of managed objects that are called for each property only where a class overrides them.
///
/// Where classes do not show it, every one but the one without code of its own counts as one that does, which is slower and
/// never wrong.
struct MethodOverrides {
    private let place: MethodPlace

    static let willChange = MethodOverrides(AnnouncingBefore.self)
    static let didChange = MethodOverrides(AnnouncingAfter.self)
    static let validation = MethodOverrides(Validating.self)
    /// An override of reading properties by key, which must then be called for each value.
    static let reading = MethodOverrides(Reading.self)

    /// - Parameter overriding: a class that overrides this one method.
    private init(_ overriding: NSManagedObject.Type) {
        self.init(MethodPlace(inheriting: Inheriting.self, overriding: overriding, base: NSManagedObject.self))
    }

    init(_ place: MethodPlace) { self.place = place }

    func isOverridden(by objectClass: NSManagedObject.Type) -> Bool {
        place.differs(in: objectClass, from: NSManagedObject.self) ?? (objectClass != NSManagedObject.self)
    }

    private final class Inheriting: NSManagedObject {}

    private final class AnnouncingBefore: NSManagedObject {
        override func willChangeValue(forKey key: String) {}
    }

    private final class AnnouncingAfter: NSManagedObject {
        override func didChangeValue(forKey key: String) {}
    }

    private final class Validating: NSManagedObject {
        override func validateValue(
            _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
        ) throws {}
    }

    private final class Reading: NSManagedObject {
        override func value(forKey key: String) -> Any? { nil }
    }
}
