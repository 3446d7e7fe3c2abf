import CoreDataStore

/// Whether a class reads its properties by key in a way of its own, which must then be asked for each value.
///
/// Where classes do not show it, every one counts as one that does, which is slower and never wrong.
enum KeyedAccess {
    private final class Inheriting: NSManagedObject {}

    private final class Overriding: NSManagedObject {
        override func value(forKey key: String) -> Any? { nil }
    }

    private static let place = ClassMetadata.place(
        inheriting: Inheriting.self, overriding: Overriding.self, base: NSManagedObject.self)

    static func isOverridden(by objectClass: NSManagedObject.Type) -> Bool {
        guard let place else { return true }
        return ClassMetadata.word(place, of: objectClass) != ClassMetadata.word(place, of: NSManagedObject.self)
    }
}
