extension UTType {
    /// All types that the type conforms to, directly or by way of others, without itself.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var open = parents
        while let next = open.popLast() {
            if next != self, found.insert(next).inserted { open += next.parents }
        }
        return found
    }

    /// Whether the type is another, or a kind of it: `public.jpeg` conforms to `public.image`.
    public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }

    /// Whether the type is a kind of another, and not that other itself.
    public func isSubtype(of type: UTType) -> Bool { self != type && supertypes.contains(type) }

    /// Whether another type is a kind of this one, and not this one itself.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    private var parents: [UTType] {
        if let declaration = TypeTable.shared.declaration(identifier) {
            return declaration.parents.map { UTType(known: $0) }
        }
        return DynamicIdentifier(identifier)?.parents.map { UTType(known: $0) } ?? []
    }
}
