import CoreDataStore

/// Methods of managed objects that are called for each property only where a class overrides them.
///
/// Where classes do not show it, every one counts as one that does, which is slower and never wrong.
struct MethodOverrides {
    private let place: Int?

    static let willChange = MethodOverrides(AnnouncingBefore.self)
    static let didChange = MethodOverrides(AnnouncingAfter.self)
    static let validation = MethodOverrides(Validating.self)

    /// - Parameter overriding: a class that overrides this one method.
    private init(_ overriding: NSManagedObject.Type) {
        place = ClassMetadata.place(
            inheriting: Inheriting.self, overriding: overriding, base: NSManagedObject.self)
    }

    func isOverridden(by objectClass: NSManagedObject.Type) -> Bool {
        guard let place else { return true }
        return ClassMetadata.word(place, of: objectClass) != ClassMetadata.word(place, of: NSManagedObject.self)
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
}
