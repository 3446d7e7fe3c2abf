import CoreDataModeling

/// Whether a class reads its properties by key in a way of its own, which must then be asked for each value.
///
/// Swift does not tell which methods a class overrides. A class's metadata has a word for each method of its
/// superclass, the address of the code that runs; two classes made here, one of which overrides `value(forKey:)`,
/// show which word it is. Where that is not plain, every class counts as one that overrides it, which is slower and
/// never wrong.
/// Source: class metadata in the Swift project's `docs/ABI/TypeMetadata.rst`.
enum KeyedAccess {
    private final class Inheriting: NSManagedObject {}

    private final class Overriding: NSManagedObject {
        override func value(forKey key: String) -> Any? { nil }
    }

    static func isOverridden(by objectClass: NSManagedObject.Type) -> Bool {
        guard let place else { return true }
        return word(place, of: objectClass) != word(place, of: NSManagedObject.self)
    }

    /// The one word that only an override of `value(forKey:)` changes.
    private static let place: Int? = {
        let places = (firstMember..<memberEnd(of: NSManagedObject.self)).filter { place in
            let inherited = word(place, of: NSManagedObject.self)
            return word(place, of: Inheriting.self) == inherited && word(place, of: Overriding.self) != inherited
        }
        return places.count == 1 ? places[0] : nil
    }()

    /// The words of a class before its members: kind, superclass, flags and sizes, descriptor, destroyer of variables.
    private static let firstMember = 7

    /// The number of words in a class's metadata behind its address point.
    private static func memberEnd(of objectClass: AnyClass) -> Int {
        let metadata = address(of: objectClass)
        let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
        let addressPoint = metadata.load(fromByteOffset: 36, as: UInt32.self)
        return max(firstMember, (Int(size) - Int(addressPoint)) / MemoryLayout<UInt>.size)
    }

    private static func word(_ place: Int, of objectClass: AnyClass) -> UInt {
        address(of: objectClass).load(fromByteOffset: place * MemoryLayout<UInt>.size, as: UInt.self)
    }

    private static func address(of objectClass: AnyClass) -> UnsafeRawPointer {
        unsafeBitCast(objectClass, to: UnsafeRawPointer.self)
    }
}
