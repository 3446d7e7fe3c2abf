import Testing

@testable import CoreDataFoundation

/// Which method a class overrides, as its metadata tell.
@Suite struct MethodPlaceTests {
    private class Base {
        func first() -> Int { 1 }
        func second() -> Int { 2 }
    }
    private class Inheriting: Base {}
    private final class Below: Inheriting {}
    private final class First: Base {
        override func first() -> Int { 3 }
    }
    private final class Second: Base {
        override func second() -> Int { 4 }
    }
    private final class Both: Base {
        override func first() -> Int { 5 }
        override func second() -> Int { 6 }
    }

    private func place(_ layout: ClassMetadataLayout = .documented) -> MethodPlace {
        MethodPlace(inheriting: Inheriting.self, overriding: First.self, base: Base.self, layout: layout)
    }

    @Test("A class that overrides the method is distinguished from others", .enabled(if: RuntimeShortcuts.areTaken))
    func overridingIsFound() {
        let place = place()
        #expect(place.differs(in: First.self, from: Base.self) == true)
        #expect(place.differs(in: Both.self, from: Base.self) == true)
        #expect(place.differs(in: Second.self, from: Base.self) == false)
        #expect(place.differs(in: Below.self, from: Inheriting.self) == false)
    }

    @Test("Metadata of another layout give no answer")
    func otherLayoutsGiveNoAnswer() {
        // What the runtime has there are flags, another size, nothing that is an address.
        for superclass in [0, 16, 24, 40] { #expect(told(ClassMetadataLayout(superclass: superclass)) == nil) }
        for size in [8, 12, 40, 44] { #expect(told(ClassMetadataLayout(size: size, addressPoint: 28)) == nil) }
        #expect(told(ClassMetadataLayout(size: 36, addressPoint: 32)) == nil)
    }

    private func told(_ layout: ClassMetadataLayout) -> Bool? {
        place(layout).differs(in: First.self, from: Base.self)
    }

    @Test("Examples that differ in no method, or in several, give no answer")
    func otherExamplesGiveNoAnswer() {
        for overriding: AnyClass in [Below.self, Both.self, Inheriting.self] {
            let place = MethodPlace(inheriting: Inheriting.self, overriding: overriding, base: Base.self)
            #expect(place.differs(in: First.self, from: Base.self) == nil)
        }
        let stranger = MethodPlace(
            inheriting: Inheriting.self, overriding: MethodPlaceTests.Other.self, base: Base.self)
        #expect(stranger.differs(in: First.self, from: Base.self) == nil)
    }
    private final class Other {}
}
