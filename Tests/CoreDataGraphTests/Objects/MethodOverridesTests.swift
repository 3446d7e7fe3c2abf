import Testing

@testable import CoreDataGraph

/// Which methods a class of managed objects overrides.
@Suite struct MethodOverridesTests {
    private class Plain: NSManagedObject {}
    private final class Announcing: Plain {
        override func didChangeValue(forKey key: String) { super.didChangeValue(forKey: key) }
    }

    @Test("A class that overrides a method is distinguished; on the plain path all but the base count as overriding")
    func overridingIsFound() {
        #expect(MethodOverrides.didChange.isOverridden(by: Announcing.self))
        #expect(!MethodOverrides.didChange.isOverridden(by: NSManagedObject.self))
        for overrides in [MethodOverrides.didChange, .willChange, .validation, .reading] {
            #expect(overrides.isOverridden(by: Plain.self) == !RuntimeShortcuts.areTaken)
        }
    }

    @Test("Where classes do not show it, all but the base count as overriding")
    func unknownPlaces() {
        let place = MethodPlace(inheriting: Plain.self, overriding: Plain.self, base: NSManagedObject.self)
        let overrides = MethodOverrides(place)
        #expect(overrides.isOverridden(by: Plain.self) && overrides.isOverridden(by: Announcing.self))
        #expect(!overrides.isOverridden(by: NSManagedObject.self))
    }
}
