/// The word of a class's metadata that has the address of a method, by which overrides of the method are detected.
///
/// Swift does not report which methods a class overrides. A class's metadata has a word for each method of its
/// superclass with the address of the code that runs. Two classes made for this purpose, only one of which overrides
/// the method, differ in that word. If they differ in none or several, the result is nil, and the caller must use the
/// path that is always correct.
package struct MethodPlace: Sendable {
    private let place: Int?

    package init(inheriting: AnyClass, overriding: AnyClass, base: AnyClass) {
        self.init(inheriting: inheriting, overriding: overriding, base: base, layout: .documented)
    }

    init(inheriting: AnyClass, overriding: AnyClass, base: AnyClass, layout: ClassMetadataLayout) {
        guard RuntimeShortcuts.areTaken, layout.describes(inheriting, below: base),
            layout.describes(overriding, below: base)
        else {
            place = nil
            return
        }
        let places = layout.members(of: base).filter { place in
            let inherited = ClassMetadataLayout.word(place, of: base)
            return ClassMetadataLayout.word(place, of: inheriting) == inherited
                && ClassMetadataLayout.word(place, of: overriding) != inherited
        }
        place = places.count == 1 ? places[0] : nil
    }

    /// Whether two classes, one below the other, run different code for the method; nil if their metadata do not show
    /// it.
    package func differs(in objectClass: AnyClass, from parent: AnyClass) -> Bool? {
        place.map { ClassMetadataLayout.word($0, of: objectClass) != ClassMetadataLayout.word($0, of: parent) }
    }
}

/// The offsets in a class's metadata of the values that are read.
///
/// Source: class metadata in the Swift project's `docs/ABI/TypeMetadata.rst`, for systems without Objective-C.
struct ClassMetadataLayout {
    static let documented = ClassMetadataLayout()

    /// The offset of the superclass, a word.
    var superclass = 8
    /// The offsets of two 32-bit numbers: the size of all metadata in bytes, and the size of the part before the
    /// address point.
    var size = 32
    var addressPoint = 36
    /// The number of words before the members: kind, superclass, flags and sizes, descriptor, destroyer of variables.
    private let firstMember = 7
    /// A number of words that no examined class has.
    private let mostWords = 1024

    /// Whether the metadata of a class have the expected layout: the superclass at its offset, and a plausible size.
    func describes(_ objectClass: AnyClass, below base: AnyClass) -> Bool {
        guard _getSuperclass(objectClass) == base,
            Self.load(superclass, of: objectClass, as: UInt.self) == UInt(bitPattern: ObjectIdentifier(base))
        else { return false }
        let members = members(of: base)
        return !members.isEmpty && members.upperBound <= mostWords
            && self.members(of: objectClass).upperBound >= members.upperBound
    }

    /// The indexes of the words after the address point that may have addresses of methods.
    func members(of objectClass: AnyClass) -> Range<Int> {
        let size = Int(Self.load(size, of: objectClass, as: UInt32.self))
        let before = Int(Self.load(addressPoint, of: objectClass, as: UInt32.self))
        return firstMember..<max(firstMember, (size - before) / MemoryLayout<UInt>.size)
    }

    static func word(_ place: Int, of objectClass: AnyClass) -> UInt {
        load(place * MemoryLayout<UInt>.size, of: objectClass, as: UInt.self)
    }

    private static func load<Value: FixedWidthInteger>(
        _ offset: Int, of objectClass: AnyClass, as type: Value.Type
    ) -> Value {
        RuntimeShortcuts.address(of: objectClass).load(fromByteOffset: offset, as: type)
    }
}
