import Testing

@testable import CoreDataFoundation

/// Foundation's dictionaries that were given their content as a whole.
@Suite struct FilledDictionaryTests {
    @Test("a dictionary with its content given is like one that Foundation has filled (FET-15)")
    func dictionariesAreAlike() throws {
        let storage: [NSObject: AnyObject] = [
            NSString(string: "name"): NSString(string: "x"), NSString(string: "age"): NSNumber(value: 7),
            NSString(string: "born"): NSDate(timeIntervalSinceReferenceDate: 1),
        ]
        let dictionary = NSDictionary.holding(storage)
        let plain: NSDictionary = ["name": "x", "age": 7, "born": Date(timeIntervalSinceReferenceDate: 1)]
        #expect(type(of: dictionary) == NSDictionary.self && dictionary.count == 3)
        #expect(NSDictionary.filled(storage) == dictionary && NSDictionary.filled([:]) == [:])
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

    @Test("What a dictionary holds goes with it")
    func contentIsLetGo() {
        weak var value: NSObject?
        do {
            let kept = NSObject()
            value = kept
            let dictionary = NSDictionary.holding([NSString(string: "a"): kept])
            withExtendedLifetime((kept, dictionary)) { #expect(value != nil) }
        }
        #expect(value == nil)
    }
}
