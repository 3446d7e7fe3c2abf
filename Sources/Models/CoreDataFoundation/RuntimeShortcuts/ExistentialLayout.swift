/// The memory layout of an existential of type `Any?`, for reading an object in it without counting a reference.
///
/// It is three words of content and the type of that, which is null in nil. Where the type is a class, the first word refers
/// to the object; it need not be, since there are values of type `Any` in others.
struct ExistentialLayout {
    /// What the object in an existential is known by: only of a class does the reference lead to an object.
    typealias Content = (reference: UnsafeRawPointer?, type: UInt)

    static let expected = ExistentialLayout()
    /// Whether existentials look as expected here.
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

    /// The plain path: the runtime opens the existential, and says the type.
    static func content<Value>(opening value: Value) -> Content {
        let type = UInt(bitPattern: ObjectIdentifier(Value.self))
        guard MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size else { return (nil, type) }
        return (withUnsafeBytes(of: value) { $0.load(as: UnsafeRawPointer?.self) }, type)
    }

    /// Whether examples lie in memory like this; never on the plain path.
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
