import CoreDataFoundation
import Testing

/// An object whose key paths have names, as generated classes have them.
private final class Pet: NSObject, KeyValueCoding, KeyPathNaming {
    let name: String
    let legs: Int

    init(_ name: String, _ legs: Int) {
        self.name = name
        self.legs = legs
    }

    nonisolated(unsafe) private static let names: [AnyKeyPath: String] = [\Pet.name: "name", \Pet.legs: "legs"]
    static func key(of keyPath: AnyKeyPath) -> String? { names[keyPath] }

    func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": name
        case "legs": legs
        default: throw unknownKey(key)
        }
    }
}

private final class Owner: NSObject, KeyValueCoding, KeyPathNaming {
    var name = ""
    var nick: String?
    var age = 0
    var height = 0.0
    var isOpen = false
    var maybe: Bool?
    var born: Date?
    var kind = Kind.cat
    var pets: [Pet] = []
    var numbers: [Int] = []
    var friend: Owner?
    var notes: [String: Int] = [:]
    var hidden = 0

    enum Kind: String, Codable { case cat, dog }

    nonisolated(unsafe) private static let names: [AnyKeyPath: String] = [
        \Owner.name: "name", \Owner.nick: "nick", \Owner.age: "age", \Owner.height: "height",
        \Owner.isOpen: "isOpen", \Owner.maybe: "maybe", \Owner.born: "born", \Owner.kind: "kind", \Owner.pets: "pets",
        \Owner.numbers: "numbers", \Owner.friend: "friend", \Owner.notes: "notes",
    ]
    static func key(of keyPath: AnyKeyPath) -> String? { names[keyPath] }

    func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": name
        case "nick": nick
        case "age": age
        case "height": height
        case "isOpen": isOpen
        case "maybe": maybe
        case "born": born
        case "kind": kind.rawValue
        case "pets": pets
        case "numbers": numbers
        case "friend": friend
        case "notes": notes
        default: throw unknownKey(key)
        }
    }
}

struct TypedPredicateTests {
    private let owners: [Owner] = {
        let all = (0..<24).map { number in
            let owner = Owner()
            owner.name = ["Ann", "bob", "Ärger", "", "Anna-10"][number % 5]
            owner.nick = number % 3 == 0 ? nil : ["Al", "annex", "x"][number % 3]
            owner.age = number - 4
            owner.height = Double(number) / 4
            owner.isOpen = number % 2 == 0
            owner.maybe = [nil, true, false][number % 3]
            owner.born = number % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number))
            owner.kind = number % 4 < 2 ? .cat : .dog
            owner.pets = (0..<number % 4).map { Pet("pet\($0)", $0 * 2) }
            owner.numbers = Array(0...number % 5)
            owner.notes = number % 2 == 0 ? ["a": number] : [:]
            return owner
        }
        for (number, owner) in all.enumerated() where number % 3 != 1 { owner.friend = all[(number + 1) % 24] }
        return all
    }()

    /// Both forms pick the same owners, and the text is as expected.
    private func check(
        _ typed: Predicate<Owner>, _ text: String? = nil, picksSome: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let converted = try NSPredicate(converting: typed)
        let expected = try owners.indices.filter { try typed.evaluate(owners[$0]) }
        let picked = try owners.indices.filter { try evaluation(of: converted, on: owners[$0], variables: [:]) }
        #expect(picked == expected, "\(converted.formatString)", sourceLocation: sourceLocation)
        #expect(!picksSome || (!expected.isEmpty && expected.count < owners.count), sourceLocation: sourceLocation)
        if let text { #expect(converted.formatString == text, sourceLocation: sourceLocation) }
        let parsed = try NSPredicate(parsing: converted.formatString)
        #expect(parsed.formatString == converted.formatString, sourceLocation: sourceLocation)
    }

    @Test("comparisons and logic of a typed predicate (PRD-26)")
    func comparisonsAndLogic() throws {
        let (least, names) = (3, ["Ann", "bob"])
        try check(#Predicate<Owner> { $0.age > least }, "age > 3")
        try check(#Predicate<Owner> { $0.age >= 3 && $0.age < 9 }, "age >= 3 AND age < 9")
        try check(#Predicate<Owner> { $0.age <= 3 || !($0.name == "bob") })
        try check(#Predicate<Owner> { $0.name != "Ann" }, "name != \"Ann\"")
        try check(#Predicate<Owner> { $0.isOpen })
        try check(#Predicate<Owner> { !$0.isOpen && $0.height == 2.25 })
        try check(#Predicate<Owner> { names.contains($0.name) }, "name IN {\"Ann\", \"bob\"}")
        try check(#Predicate<Owner> { ($0.age > 3) == $0.isOpen })
        try check(#Predicate<Owner> { $0.age > 3 ? $0.isOpen : $0.name == "bob" })
        try check(#Predicate<Owner> { ($0.age > 3 ? $0.age : 5) == 5 })
        try check(#Predicate<Owner> { _ in true }, picksSome: false)
        let kind = Owner.Kind.dog
        try check(#Predicate<Owner> { $0.kind == kind }, "kind == \"dog\"")
    }

    @Test("optionals of a typed predicate (PRD-26)")
    func optionalsOfTypedPredicate() throws {
        let date = Date(timeIntervalSinceReferenceDate: 9)
        try check(#Predicate<Owner> { $0.nick == nil }, "nick == nil")
        try check(#Predicate<Owner> { $0.nick != nil && $0.nick! == "x" }, "nick != nil AND nick == \"x\"")
        try check(#Predicate<Owner> { ($0.nick ?? "Al") == "Al" })
        try check(#Predicate<Owner> { $0.nick?.contains("nn") ?? false })
        try check(#Predicate<Owner> { $0.nick?.contains("nn") == true })
        try check(#Predicate<Owner> { $0.maybe ?? true })
        try check(#Predicate<Owner> { $0.maybe == true })
        try check(#Predicate<Owner> { ($0.born ?? date) > date })
        try check(#Predicate<Owner> { $0.friend?.age == 8 }, "friend.age == 8")
        try check(#Predicate<Owner> { $0.friend?.friend?.name == "bob" })
        try check(#Predicate<Owner> { ($0.nick?.count ?? 0) > 1 })
        try check(
            #Predicate<Owner> { owner in
                if let nick = owner.nick { nick == "x" } else { owner.age > 10 }
            })
    }

    @Test("texts of a typed predicate (PRD-26)")
    func textsOfTypedPredicate() throws {
        try check(#Predicate<Owner> { $0.name.contains("nn") }, "name CONTAINS \"nn\"")
        try check(#Predicate<Owner> { $0.name.starts(with: "An") }, "name BEGINSWITH \"An\"")
        try check(#Predicate<Owner> { $0.name.count == 3 }, "length:(name) == 3")
        try check(#Predicate<Owner> { $0.name.isEmpty })
        let pattern = /n+a?-\d/
        try check(#Predicate<Owner> { $0.name.contains(pattern) })
    }

    @Test("numbers of a typed predicate (PRD-26)")
    func numbersOfTypedPredicate() throws {
        try check(#Predicate<Owner> { $0.age + 2 * $0.age - 1 > 20 })
        try check(#Predicate<Owner> { $0.height / 2 > 1.4 })
        try check(#Predicate<Owner> { $0.age / 3 == 2 })
        try check(#Predicate<Owner> { $0.age / 3 == -1 })
        try check(#Predicate<Owner> { $0.age % 4 == 1 })
        try check(#Predicate<Owner> { -$0.age > 0 })
        let (open, closed) = (2..<5, 2...5)
        try check(#Predicate<Owner> { (2..<5).contains($0.age) }, "age >= 2 AND age < 5")
        try check(#Predicate<Owner> { (2...5).contains($0.age) }, "age >= 2 AND age <= 5")
        try check(#Predicate<Owner> { open.contains($0.age) || closed.contains($0.age - 8) })
        let (from, upTo) = (5..., ..<3)
        try check(#Predicate<Owner> { from.contains($0.age) })
        try check(#Predicate<Owner> { upTo.contains($0.age) })
    }

    @Test("collections of a typed predicate (PRD-26)")
    func collectionsOfTypedPredicate() throws {
        try check(#Predicate<Owner> { $0.pets.contains { $0.legs > 2 } })
        try check(#Predicate<Owner> { $0.pets.allSatisfy { $0.legs < 4 } })
        try check(#Predicate<Owner> { owner in owner.pets.contains { $0.legs < owner.age } })
        try check(#Predicate<Owner> { $0.pets.filter { $0.legs == 2 }.count == 1 })
        try check(#Predicate<Owner> { $0.pets.isEmpty }, "pets.@count == 0")
        try check(#Predicate<Owner> { $0.pets.count > 1 }, "pets.@count > 1")
        try check(#Predicate<Owner> { $0.numbers.contains(3) }, "3 IN numbers")
        try check(#Predicate<Owner> { $0.numbers.max() == 2 })
        try check(#Predicate<Owner> { $0.numbers.min() == 0 }, picksSome: false)
        try check(#Predicate<Owner> { $0.numbers[0] == $0.age })
        try check(#Predicate<Owner> { $0.numbers.first == 0 }, picksSome: false)
        try check(#Predicate<Owner> { $0.notes["a"] == 4 }, "notes.a == 4")
        try check(#Predicate<Owner> { $0.notes["a", default: 7] == 7 })
    }

    @Test("what has no counterpart is named (PRD-26)")
    func unsayableParts() throws {
        func part(_ predicate: Predicate<Owner>) -> PredicateConversionError? {
            #expect(NSPredicate(predicate) == nil)
            return #expect(throws: PredicateConversionError.self) { try NSPredicate(converting: predicate) }
        }
        #expect(part(#Predicate<Owner> { $0.hidden == 1 })?.reason.contains("no property table names") == true)
        #expect(part(#Predicate<Owner> { $0.numbers.contains([1, 2]) })?.part == "contains with a list")
        #expect(part(#Predicate<Owner> { $0.numbers.starts(with: [0]) })?.part.contains("starts(with:)") == true)
        #expect(part(#Predicate<Owner> { $0.numbers[0..<1].contains(0) })?.part == "CollectionRangeSubscript")
        #expect(NSPredicate(#Predicate<Owner> { $0.age == 1 }) != nil)
    }
}
