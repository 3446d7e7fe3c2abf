import Testing

@testable import CoreDataFoundation

/// What is read of the layout of Foundation's classes; on the plain path nothing is.
@Suite(.enabled(if: RuntimeShortcuts.areTaken)) struct ObjectFormTests {
    @Test("The layouts of this Foundation are understood; in another its own routines make the objects")
    func formsAreKnown() {
        #expect(NSDictionary.form != nil)
        #expect(NumberForm.integers.isKnown && NumberForm.reals.isKnown)
    }

    private class Other: NSObject { let content: UInt64 = 1 }
    /// Variables, since the optimiser would put the constants in place of reading them.
    private final class Same: NSObject {
        var information: UInt64 = 7
        var content: UInt64 = 8
    }
    private final class Derived: Other { let more: UInt64 = 2 }
    private final class Further: NSObject {
        let (information, content, more): (UInt64, UInt64, UInt64) = (1, 2, 3)
    }
    private final class Counted: NSObject {
        let information = NSObject()
        let content: UInt64 = 1
    }

    @Test("A class of any other layout has no form")
    func othersHaveNone() {
        #expect(ObjectForm<UInt64>(of: NSObject.self, like: NSObject()) == nil)
        #expect(ObjectForm<UInt64>(of: Other.self, like: Other()) == nil)
        #expect(ObjectForm<UInt64>(of: Further.self, like: Further()) == nil)
        #expect(ObjectForm<UInt64>(of: Counted.self, like: Counted()) == nil)
        #expect(ObjectForm<[NSObject: AnyObject]>(of: NSSet.self, like: NSSet()) == nil)
        #expect(ObjectForm<Set<NSObject>>(of: Same.self, like: Same()) == nil)
        #expect(ObjectForm<UInt64>(of: Same.self, like: Same()) != nil)
        // Of two words in two classes, too; of an object of another class than the one asked for, not.
        #expect(ObjectForm<UInt64>(of: Derived.self, like: Derived()) != nil)
        #expect(ObjectForm<UInt64>(of: Other.self, like: Derived()) == nil)
        #expect(ObjectForm<Set<NSObject>>(of: NSSet.self, like: NSMutableSet()) == nil)
    }

    @Test("A copy has the information of its example and a content of its own")
    func copiesDiffer() throws {
        let form = try #require(ObjectForm<UInt64>(of: Same.self, like: Same()))
        let made = form.object(99, as: Same.self)
        #expect(made.information == 7 && made.content == 99 && form.content(of: made) == 99)
        weak var gone: Same?
        do {
            let short = form.object(1, as: Same.self)
            gone = short
            withExtendedLifetime(short) { #expect(gone != nil) }
        }
        #expect(gone == nil)
    }
}
