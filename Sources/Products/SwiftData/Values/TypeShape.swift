import Foundation
@_spi(Reflection) import Swift

/// What the compiler's descriptions of structures and enumerations say of their members.
enum TypeShape {
    /// The stored properties of a structure in the order of its source; nil for another type.
    static func fields(of type: Any.Type) -> [(name: String, type: Any.Type)]? {
        var fields: [(name: String, type: Any.Type)] = []
        let isComplete = _forEachField(of: type) { name, _, type, _ in
            fields.append((String(cString: name), type))
            return true
        }
        return isComplete && kind(of: type) == structureKind ? fields : nil
    }

    /// The name of the structure's stored property at an offset.
    static func field(of type: Any.Type, at offset: Int) -> String? {
        var found: String?
        _ = _forEachField(of: type) { name, fieldOffset, _, _ in
            if fieldOffset == offset, found == nil { found = String(cString: name) }
            return true
        }
        return found
    }

    static func isEnumeration(_ type: Any.Type) -> Bool { kind(of: type) == enumerationKind }

    /// The kinds of types in the runtime's descriptions, whose form is part of Swift's stable interface.
    private static let (structureKind, enumerationKind) = (UInt(0x200), UInt(0x201))

    private static func kind(of type: Any.Type) -> UInt {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self)
    }

    /// A case of an enumeration.
    struct Case {
        let name: String
        /// Whether it has associated values.
        let hasValues: Bool
    }

    /// The cases of an enumeration, those with associated values first, each in the order of its source.
    static func cases(of type: Any.Type) -> [Case] {
        guard isEnumeration(type) else { return [] }
        // The metadata of an enumeration has its descriptor after the kind; the descriptor has, in words of four bytes:
        // flags, parent, name, accessor, fields (relative), number of cases with values, number of cases without.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        let withValues = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
        let count = withValues + Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        let fields = relative(descriptor + 16)
        // The field descriptor has a header of sixteen bytes, and twelve for each case: flags, type, name (relative).
        guard Int(fields.load(fromByteOffset: 12, as: UInt32.self)) == count else { return [] }
        return (0..<count).map { index in
            let name = String(cString: relative(fields + 16 + 12 * index + 8).assumingMemoryBound(to: CChar.self))
            return Case(name: name, hasValues: index < withValues)
        }
    }

    private static func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer {
        place + Int(place.load(as: Int32.self))
    }
}
