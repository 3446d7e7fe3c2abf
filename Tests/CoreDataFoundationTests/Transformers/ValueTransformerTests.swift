import CoreDataFoundation
import Testing

final class ReversingTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override class func transformedValueClass() -> AnyClass { NSString.self }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { String($0.reversed()) } }
}

/// Found by its name without a module.
final class FoundBareTransformer: ValueTransformer {}

final class KeyedTransformer: ValueTransformer {
    let key: Int

    init(key: Int) {
        self.key = key
        super.init()
    }

    override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * key } }
}

struct ValueTransformerTests {
    @Test("transformers are found by name, the same object each time, and removed (MOD-23)")
    func registryFindsByName() {
        let name = NSValueTransformerName("ReversingTransformer-\(UUID())")
        #expect(ValueTransformer(forName: name) == nil)
        let transformer = ReversingTransformer()
        ValueTransformer.setValueTransformer(transformer, forName: name)
        #expect(ValueTransformer(forName: name) === transformer)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        #expect(transformer.transformedValue("abc") as? String == "cba")
        #expect(transformer.reverseTransformedValue("cba") as? String == "abc")
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test("a name that is not registered is that of a class, of which one transformer is made (MOD-23)")
    func classesAreFoundByName() throws {
        let name = NSValueTransformerName("CoreDataFoundationTests.ReversingTransformer")
        let found = try #require(ValueTransformer(forName: name))
        #expect(found is ReversingTransformer && ValueTransformer(forName: name) === found)
        #expect(found.transformedValue("abc") as? String == "cba" && found.description.isEmpty == false)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        #expect(ValueTransformer(forName: NSValueTransformerName("FoundBareTransformer")) == nil)
        SearchedModules.add("CoreDataFoundationTests")
        #expect(ValueTransformer(forName: NSValueTransformerName("FoundBareTransformer")) is FoundBareTransformer)
        // A class with properties to initialize, one of another kind, and what is no name of a class.
        for name in ["KeyedTransformer", "ValueTransformerTests", "No.Such", "", ".", "a.b.c", "Größe"] {
            #expect(ValueTransformer(forName: NSValueTransformerName("CoreDataFoundationTests." + name)) == nil)
        }
    }

    @Test("a transformer may have initializers of its own alone (MOD-23)")
    func ownInitializers() {
        let transformer = KeyedTransformer(key: 3)
        let name = NSValueTransformerName("Keyed-\(UUID())")
        ValueTransformer.setValueTransformer(transformer, forName: name)
        #expect(ValueTransformer(forName: name)?.transformedValue(4) as? Int == 12)
    }

    @Test func registryIsSafeFromManyThreads() {
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let name = NSValueTransformerName("concurrent-\(index % 7)")
            ValueTransformer.setValueTransformer(ReversingTransformer(), forName: name)
            #expect(ValueTransformer(forName: name)?.transformedValue("ab") as? String == "ba")
        }
    }

    @Test func predefinedTransformersExist() throws {
        let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
        #expect(negate.transformedValue(true) as? Bool == false)
        #expect(negate.transformedValue(nil) as? Bool == true)
        #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true)
        #expect(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue(1) as? Bool == true)
        #expect(
            ValueTransformer(forName: NSValueTransformerName("NSUnarchiveFromData"))
                is NSSecureUnarchiveFromDataTransformer)
        #expect(
            ValueTransformer(forName: .secureUnarchiveFromDataTransformerName) is NSSecureUnarchiveFromDataTransformer)
    }

    @Test("archives are decoded only when proved harmless, and only of the closed list (HAZ-48)")
    func archivesAreProvedHarmless() throws {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        let bytes = try #require(
            transformer.reverseTransformedValue(["a", 1, Date(timeIntervalSince1970: 0)]) as? Data)
        let list = try #require(transformer.transformedValue(bytes) as? [Any])
        #expect(
            list[0] as? String == "a" && list[1] as? Int == 1 && list[2] as? Date == Date(timeIntervalSince1970: 0))
        for value in ["text", 5, Data([1]), UUID(), URL(fileURLWithPath: "/a"), ["k": "v"], Set([1])]
            as [any Sendable & Hashable]
        {
            let archived = try #require(transformer.reverseTransformedValue(value) as? Data, "\(value)")
            #expect(ValueOrder.areEqual(transformer.transformedValue(archived), value), "\(value)")
        }
        let other = try NSKeyedArchiver.archivedData(
            withRootObject: NSCharacterSet(charactersIn: "a"), requiringSecureCoding: true)
        #expect(transformer.transformedValue(other) == nil)
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(transformer.transformedValue(Data()) == nil)
        #expect(transformer.transformedValue("no data") == nil)
        #expect(transformer.reverseTransformedValue(nil) == nil)
    }

    @Test("a transformer that lists predicates keeps them (PRD-32)")
    func transformersKeepPredicates() throws {
        let predicate = NSPredicate(format: "name BEGINSWITH[cd] $START AND age > 3")
        let transformer = PredicateTransformer()
        let bytes = try #require(transformer.reverseTransformedValue(predicate) as? Data)
        #expect(transformer.transformedValue(bytes) as? NSPredicate == predicate)
        #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(bytes) == nil)
    }

    @Test func reverseOfAOneWayTransformerStops() async {
        await #expect(processExitsWith: .failure) {
            _ = ValueTransformer(forName: .isNilTransformerName)?.reverseTransformedValue(1)
        }
    }
}

private final class PredicateTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSPredicate.self] }
}
