import CoreData
import ManagedModel
import ManagedTypes
import StoreContract
import TestBasics
import Testing

/// What the plugin tells of the members of hand-written classes, of which the sources say nothing themselves.
@Suite struct KeyedMemberTests {
    @Test("computed properties are read and written by key, also those of a superclass in another module (KVC-05)")
    func computedPropertiesAreReadAndWrittenByKey() throws {
        let stack = try ManagedStack.make()
        let hero = Villain(context: stack.context)
        (hero.title, hero.alias, hero.name) = ("T", "A", "N")
        #expect(hero.value(forKey: "display") as? String == "T A")
        #expect(hero.value(forKey: "greeting") as? String == "I am N")
        #expect(hero.value(forKeyPath: "self.display") as? String == "T A")
        hero.setValue("S", forKey: "disclosed")
        #expect(hero.value(forKey: "secret") as? String == "S")
        hero.setValue(nil, forKey: "disclosed")
        #expect(hero.disclosed == nil)
        let heroes = [hero as NSManagedObject]
        #expect(heroes.filtered(using: NSPredicate(format: "display == 'T A'")).count == 1)
    }

    @Test("access by key goes through a class's own accessor, and past one that asks for its own key (KVC-05)")
    func ownAccessors() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        hero.setValue("fight", forKey: "motto")
        #expect(hero.motto == "FIGHT" && hero.value(forKey: "motto") as? String == "FIGHT")
        #expect(hero.primitiveValue(forKey: "motto") as? String == "FIGHT")
        hero.origin = "here"
        #expect(hero.origin == "here" && hero.value(forKey: "origin") as? String == "here")
        hero.storedAlias = "quiet"
        #expect(hero.alias == "quiet")
    }

    @Test("a method validate<Key> is asked before a save and may replace the value (KVC-05)")
    func methodValidateKeyIsAskedBeforeSaveAndMayReplaceValue() throws {
        let stack = try ManagedStack.make()
        let hero = Villain(context: stack.context)
        hero.age = 950
        try stack.context.save()
        #expect(hero.age == 900)
        hero.age = 1000
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .featureUnsupported)
    }

    @Test("the class names what a computed key depends on (KVC-05)") func classNamesWhatComputedKeyDependsOn() {
        #expect(Knight.keyPathsForValuesAffectingValue(forKey: "display") == ["title", "alias"])
        #expect(Villain.keyPathsForValuesAffectingValue(forKey: "display") == ["title", "alias"])
        #expect(Knight.keyPathsForValuesAffectingValue(forKey: "alias").isEmpty)
    }

    @Test("a value of another type for a computed key stops with its name (KVC-05)")
    func valueOfAnotherTypeForComputedKeyStopsWithItsName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try ManagedStack.make()
            Knight(context: stack.context).setValue(5, forKey: "disclosed")
        }
        #expect(result.standardErrorText.contains("disclosed"))
    }
}
