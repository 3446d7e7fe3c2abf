import CSwiftRuntime

/// The memory layout of a class of open-source Foundation, by which objects with other content are made: after the
/// header a word of information, which is the same in all objects, and the content.
///
/// Foundation fills its collections element by element, with a hash, a cast and a copy for each, and makes numbers by
/// Core Foundation's general routine. Here an object is a copy of an example with other content. The offset of the
/// content is that in the compiler's description of the class.
struct ObjectForm<Content>: @unchecked Sendable {
    private let type: UnsafeRawPointer
    private let information: UInt64

    /// Returns nil if the example is of a subclass, if the class has other stored properties than these two, or without
    /// runtime shortcuts.
    init?(of type: AnyClass, like example: AnyObject) {
        let fields = StoredField.all(of: type)
        guard RuntimeShortcuts.areTaken, Swift.type(of: example) == type,
            fields.map(\.offset) == [Self.informationOffset, Self.contentOffset],
            fields[0].isPlainWord, fields[1].type == Content.self
        else { return nil }
        self.type = RuntimeShortcuts.address(of: type)
        information = Self.word(of: example, at: Self.informationOffset)
    }

    /// Makes an object; the caller owns one reference to it.
    func object<Object: AnyObject>(_ content: consuming Content, as _: Object.Type) -> Object {
        let place = swift_allocObject(
            type, Self.contentOffset + MemoryLayout<Content>.size, MemoryLayout<UInt64>.alignment - 1)
        place.storeBytes(of: information, toByteOffset: Self.informationOffset, as: UInt64.self)
        (place + Self.contentOffset).initializeMemory(as: Content.self, to: content)
        return Unmanaged<Object>.fromOpaque(place).takeRetainedValue()
    }

    /// The content of an object of this layout, if it is a word.
    func content(of object: AnyObject) -> UInt64 where Content == UInt64 {
        Self.word(of: object, at: Self.contentOffset)
    }

    private static func word(of object: AnyObject, at offset: Int) -> UInt64 {
        defer { withExtendedLifetime(object) {} }
        return UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()).load(
            fromByteOffset: offset, as: UInt64.self)
    }

    private static var informationOffset: Int { StoredField.firstOffset }
    private static var contentOffset: Int { StoredField.firstOffset + 8 }
}
