import CoreDataStore

/// Methods of managed objects that the library calls only if a class overrides them, since calling them for every
/// object or property is slow.
///
/// If overrides cannot be read from the class metadata, every class except `NSManagedObject` counts as overriding,
/// which is slower but correct.
struct MethodOverrides {
    private let place: MethodPlace

    static let willChange = MethodOverrides(AnnouncingBefore.self)
    static let didChange = MethodOverrides(AnnouncingAfter.self)
    static let validation = MethodOverrides(Validating.self)
    /// An override of `value(forKey:)`, which must then be called for each value.
    static let reading = MethodOverrides(Reading.self)
    static let willSave = MethodOverrides(Saving.self)
    static let didSave = MethodOverrides(Saved.self)
    static let insertValidation = MethodOverrides(InsertValidating.self)
    static let updateValidation = MethodOverrides(UpdateValidating.self)
    static let deletionValidation = MethodOverrides(DeletionValidating.self)
    static let awakeFromFetch = MethodOverrides(Awaking.self)
    static let awakeFromInsert = MethodOverrides(Beginning.self)

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

    private final class Awaking: NSManagedObject {
        override func awakeFromFetch() {}
    }

    private final class Beginning: NSManagedObject {
        override func awakeFromInsert() {}
    }

    private final class Saving: NSManagedObject {
        override func willSave() {}
    }

    private final class Saved: NSManagedObject {
        override func didSave() {}
    }

    private final class InsertValidating: NSManagedObject {
        override func validateForInsert() throws {}
    }

    private final class UpdateValidating: NSManagedObject {
        override func validateForUpdate() throws {}
    }

    private final class DeletionValidating: NSManagedObject {
        override func validateForDelete() throws {}
    }
}
