extension RuntimeShortcuts {
    /// Converts an array to one of a type to which the caller knows that all elements belong; without a copy if values
    /// of both types are single references.
    ///
    /// A cast would read each object, few of which are in the processor's cache when many have been fetched.
    @inlinable
    package static func array<Element, Wanted>(_ objects: consuming [Element], as type: Wanted.Type) -> [Wanted] {
        guard areTaken, isReference(Element.self), isReference(Wanted.self) else { return cast(objects, to: type) }
        return unsafeBitCast(objects, to: [Wanted].self)
    }

    /// The fallback: casts each element and leaves out those that are not of the type.
    @usableFromInline
    static func cast<Element, Wanted>(_ objects: [Element], to type: Wanted.Type) -> [Wanted] {
        objects.compactMap { $0 as? Wanted }
    }

    /// Whether a value of a type, which may be optional, is a single reference: of a class or of a class-bound
    /// protocol.
    @usableFromInline
    static func isReference<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size && !_isPOD(Value.self)
    }
}
