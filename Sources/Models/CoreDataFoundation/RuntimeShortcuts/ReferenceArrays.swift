extension RuntimeShortcuts {
    /// Objects whose class the caller knows, as an array of that type: the very array, where both types are one reference each.
    ///
    /// A cast would look at each object, few of which are in the processor's cache when many have been fetched.
    @inlinable
    package static func array<Element, Wanted>(_ objects: consuming [Element], as type: Wanted.Type) -> [Wanted] {
        guard areTaken, isReference(Element.self), isReference(Wanted.self) else { return cast(objects, to: type) }
        return unsafeBitCast(objects, to: [Wanted].self)
    }

    /// The plain path: objects that are not of the type are left out.
    @usableFromInline
    static func cast<Element, Wanted>(_ objects: [Element], to type: Wanted.Type) -> [Wanted] {
        objects.compactMap { $0 as? Wanted }
    }

    /// Whether values of a type, or of an optional one, are a reference and nothing else: a class or what only classes are.
    @usableFromInline
    static func isReference<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size && !_isPOD(Value.self)
    }
}
