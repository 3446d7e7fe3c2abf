/// The memory layout of an existential of type `Any?`, by which an object in it is read without being retained.
///
/// It has three words of content and a word with the content's type, which is null for nil. If the type is a class, the
/// first word usually refers to the object; it does not if the content is itself an existential.
struct ExistentialLayout {
    /// The first word and the type of an existential's content; the word refers to an object only if the type is a
    /// class.
    typealias Content = (reference: UnsafeRawPointer?, type: UInt)

    static let expected = ExistentialLayout()
    /// Whether existentials have the expected layout on this platform.
    static let isAsExpected = expected.isFound

    var reference = 0
    var type = 24

    /// The content of an existential of this layout.
    @inline(__always)
    func content(of object: Any?) -> Content {
        withUnsafeBytes(of: object) { bytes in
            (
                bytes.load(fromByteOffset: reference, as: UnsafeRawPointer?.self),
                bytes.load(fromByteOffset: type, as: UInt.self)
            )
        }
    }

    /// The fallback: reads the content after the runtime has opened the existential.
    static func content<Value>(opening value: Value) -> Content {
        let type = UInt(bitPattern: ObjectIdentifier(Value.self))
        guard MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size else { return (nil, type) }
        return (withUnsafeBytes(of: value) { $0.load(as: UnsafeRawPointer?.self) }, type)
    }

    /// Whether examples have this memory layout; false if runtime shortcuts are off.
    var isFound: Bool {
        guard RuntimeShortcuts.areTaken, MemoryLayout<Any?>.size == 32 else { return false }
        let example = Example()
        let address = UnsafeRawPointer(Unmanaged.passUnretained(example).toOpaque())
        let (object, number) = (content(of: example), content(of: 1 as Int))
        return withExtendedLifetime(example) {
            object.reference == address && object.type == UInt(bitPattern: ObjectIdentifier(Example.self))
                && number.type == UInt(bitPattern: ObjectIdentifier(Int.self)) && content(of: nil).type == 0
        }
    }

    private final class Example {}
}
