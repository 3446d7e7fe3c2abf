/// The word of a class's metadata with the address of a method, which shows whether a class overrides the method.
///
/// Swift does not report which methods a class overrides. A class's metadata has a word for each method of its
/// superclass, the address of the code that runs; two classes made for it, one of which overrides the method,
/// show which word it is. Where they do not, the result is unknown, and the caller uses the path that is always correct.
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

    /// Whether two classes, one below the other, run different code for the method; nil if their metadata do not show it.
    package func differs(in objectClass: AnyClass, from parent: AnyClass) -> Bool? {
        place.map { ClassMetadataLayout.word($0, of: objectClass) != ClassMetadataLayout.word($0, of: parent) }
    }
}

/// Where a class's metadata has what is read of it.
///
/// Source: class metadata in the Swift project's `docs/ABI/TypeMetadata.rst`, for systems without Objective-C.
struct ClassMetadataLayout {
    static let documented = ClassMetadataLayout()

    /// The place of the superclass, a word.
    var superclass = 8
    /// The places of the size in bytes of all metadata, and of what lies before the address point, of 32 bits each.
    var size = 32
    var addressPoint = 36
    /// The words before the members: kind, superclass, flags and sizes, descriptor, destroyer of variables.
    private let firstMember = 7
    /// More words than the classes have that are asked about.
    private let mostWords = 1024

    /// Whether the metadata of a class look as expected: its superclass is where it should be, and its size one that can be.
    func describes(_ objectClass: AnyClass, below base: AnyClass) -> Bool {
        guard _getSuperclass(objectClass) == base,
            Self.load(superclass, of: objectClass, as: UInt.self) == UInt(bitPattern: ObjectIdentifier(base))
        else { return false }
        let members = members(of: base)
        return !members.isEmpty && members.upperBound <= mostWords
            && self.members(of: objectClass).upperBound >= members.upperBound
    }

    /// The words behind the address point of a class that lead to its methods.
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
