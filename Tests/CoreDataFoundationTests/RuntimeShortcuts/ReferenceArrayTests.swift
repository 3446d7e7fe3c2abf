import Testing

@testable import CoreDataFoundation

/// Arrays of objects that are handed out as those of another type.
@Suite struct ReferenceArrayTests {
    private class Kind: NSObject {}
    private final class Derived: Kind {}

    @Test("Objects are handed out as their own class, a class above it and without an optional type's nil")
    func typesChange() {
        let objects = [Derived(), Derived()]
        let kinds: [Kind] = RuntimeShortcuts.array(objects, as: Kind.self)
        #expect(kinds == objects && RuntimeShortcuts.array(kinds, as: Derived.self) == objects)
        #expect(RuntimeShortcuts.array(objects.map(Optional.some), as: NSObject.self) == objects)
        let none: [Derived?] = []
        #expect(RuntimeShortcuts.array(none, as: Kind.self).isEmpty)
        #expect(RuntimeShortcuts.array(objects, as: AnyObject.self).count == 2)
    }

    @Test("A type that is laid out otherwise than a reference takes the plain path")
    func otherLayoutsAreCast() {
        let objects = [Derived(), Derived()]
        #expect(!RuntimeShortcuts.isReference((any Describing).self) && !RuntimeShortcuts.isReference(Int.self))
        let described = RuntimeShortcuts.array(objects, as: (any Describing).self)
        #expect(described.map(\.text) == ["derived", "derived"])
        #expect(RuntimeShortcuts.array([1, 2], as: Int.self) == [1, 2])
        #expect(RuntimeShortcuts.cast(objects, to: Kind.self) == objects)
    }
}

private protocol Describing { var text: String { get } }

extension NSObject: Describing {
    fileprivate var text: String { "derived" }
}
