import Testing

@testable import CoreDataFoundation

/// Foundation's collections that were given their content as a whole.
@Suite struct FilledCollectionTests {
    @Test("FET-15: a dictionary with its content given is like one that Foundation has filled")
    func dictionariesAreAlike() throws {
        let storage: [NSObject: AnyObject] = [
            NSString(string: "name"): NSString(string: "x"), NSString(string: "age"): NSNumber(value: 7),
            NSString(string: "born"): NSDate(timeIntervalSinceReferenceDate: 1),
        ]
        let dictionary = NSDictionary.holding(storage)
        let plain: NSDictionary = ["name": "x", "age": 7, "born": Date(timeIntervalSinceReferenceDate: 1)]
        #expect(type(of: dictionary) == NSDictionary.self && dictionary.count == 3)
        #expect(dictionary == plain && plain == dictionary && dictionary.hash == plain.hash)
        #expect(dictionary["age"] as? Int == 7 && dictionary[NSString(string: "name")] as? String == "x")
        #expect(dictionary["none"] == nil && Set(dictionary.allKeys as? [String] ?? []) == ["name", "age", "born"])
        let bridged = try #require(dictionary as? [String: Any])
        #expect(bridged.count == 3 && bridged["born"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
        #expect(NSDictionary.holding([:]) == [:] && NSDictionary.holding([:]).count == 0)
        let data = try NSKeyedArchiver.archivedData(withRootObject: dictionary, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self], from: data)
        #expect(read as? NSDictionary == plain)
    }

    @Test("What shares its content with another changes alone")
    func contentIsShared() throws {
        let key = NSString(string: "a")
        let storage: [NSObject: AnyObject] = [key: NSNumber(value: 1)]
        let (one, two) = (NSDictionary.holding(storage), NSDictionary.holding(storage))
        let copy = try #require(one.mutableCopy() as? NSMutableDictionary)
        copy["a"] = 2
        copy["b"] = 3
        #expect(one == ["a": 1] && two == ["a": 1] && copy == ["a": 2, "b": 3] && storage.count == 1)
    }

    @Test("What a collection holds goes with it")
    func contentIsLetGo() {
        weak var value: NSObject?
        weak var member: NSObject?
        do {
            let (kept, element) = (NSObject(), NSObject())
            (value, member) = (kept, element)
            let collections = (
                NSDictionary.holding([NSString(string: "a"): kept]), NSSet.holding([element])
            )
            withExtendedLifetime((kept, element, collections)) { #expect(value != nil && member != nil) }
        }
        #expect(value == nil && member == nil)
    }

    @Test("A set with its content given is like one that Foundation has filled")
    func setsAreAlike() {
        let members: Set<NSObject> = [NSString(string: "a"), NSNumber(value: 1)]
        let set = NSSet.holding(members)
        #expect(type(of: set) == NSSet.self && set.count == 2 && set == NSSet(array: ["a", 1]))
        #expect(set.contains("a") && !set.contains("b") && set.allObjects.count == 2)
        #expect(set as? Set<AnyHashable> == NSSet(array: ["a", 1]) as? Set<AnyHashable>)
        #expect(set as? Set<NSObject> == members && NSSet.holding([]).count == 0)
        let many = Set((0..<1_000).map { NSNumber(value: $0) as NSObject })
        #expect(NSSet.holding(many) == NSSet(array: Array(0..<1_000)) && NSSet.holding(many).contains(999))
    }
}
