import CoreDataStore

/// The words of a class's metadata, by which a class that overrides a method is told from one that does not.
///
/// Swift does not tell which methods a class overrides. A class's metadata has a word for each method of its
/// superclass, the address of the code that runs; two classes made for it, one of which overrides the method,
/// show which word it is.
/// Source: class metadata in the Swift project's `docs/ABI/TypeMetadata.rst`.
enum ClassMetadata {
    /// The one word that only an override changes; nil where that is not plain.
    static func place(inheriting: AnyClass, overriding: AnyClass, base: AnyClass) -> Int? {
        let places = (firstMember..<memberEnd(of: base)).filter { place in
            let inherited = word(place, of: base)
            return word(place, of: inheriting) == inherited && word(place, of: overriding) != inherited
        }
        return places.count == 1 ? places[0] : nil
    }

    static func word(_ place: Int, of objectClass: AnyClass) -> UInt {
        address(of: objectClass).load(fromByteOffset: place * MemoryLayout<UInt>.size, as: UInt.self)
    }

    /// The words of a class before its members: kind, superclass, flags and sizes, descriptor, destroyer of variables.
    private static let firstMember = 7

    /// The number of words in a class's metadata behind its address point.
    private static func memberEnd(of objectClass: AnyClass) -> Int {
        let metadata = address(of: objectClass)
        let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
        let addressPoint = metadata.load(fromByteOffset: 36, as: UInt32.self)
        return max(firstMember, (Int(size) - Int(addressPoint)) / MemoryLayout<UInt>.size)
    }

    private static func address(of objectClass: AnyClass) -> UnsafeRawPointer {
        unsafeBitCast(objectClass, to: UnsafeRawPointer.self)
    }
}
